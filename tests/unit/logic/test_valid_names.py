import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlfol.logic.errors import FormulaError
from nlfol.logic.naming import valid_name
from nlfol.logic.syntax import FREE_VARIABLE, NAME


@pytest.mark.parametrize(
    ("name", "valid"),
    [
        ("Anti-abortion", "Anti_abortion"),
        ("mr.smith", "mr_smith"),
        ("captain america", "captain_america"),
        ("c++", "c_plus_plus"),
        ("a+", "a_plus"),
        ("2000", "n2000"),
        ("GrowthCompanies’Stocks", "GrowthCompaniesStocks"),
        ("LostToIgaŚwiątek", "LostToIgaSwiatek"),
        ("Łódź", "Lodz"),
        ("Æsop", "AEsop"),
        ("α", "char3b1"),
        ("anU.SGovernmentOfficial", "anU_SGovernmentOfficial"),
        ("plain_Name1", "plain_Name1"),
    ],
)
def test_valid_names(name: str, valid: str) -> None:
    assert valid_name(name) == valid


def test_constants_do_not_look_like_variables() -> None:
    assert valid_name("y1976", constant=True) == "y_1976"
    assert valid_name("y1976") == "y1976"


def test_nothing_to_name() -> None:
    with pytest.raises(FormulaError, match="'--'"):
        valid_name("--")


@given(st.text(min_size=1, max_size=20), st.booleans())
def test_any_result_is_a_name_and_its_own(name: str, constant: bool) -> None:
    try:
        valid = valid_name(name, constant=constant)
    except FormulaError:
        assert not any(c.isascii() and c.isalnum() for c in name)
        return
    assert NAME.fullmatch(valid)
    assert not (constant and FREE_VARIABLE.fullmatch(valid))
    assert valid_name(valid, constant=constant) == valid
