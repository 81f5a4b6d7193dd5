"""A small experiment with every kind of job: what its results hold."""

import pyarrow as pa
import pytest
from tests.workflow.checkout import TABLES, Checkout

from nlfol.sets.audit_checks import Check
from nlfol.store import files, schemas
from nlfol_extras.analyses.refusals import REFUSALS


def test_tables_are_written_in_every_format(finished: Checkout) -> None:
    wanted = {f"{table}.{suffix}" for table in TABLES for suffix in ("csv", "md", "tex", "rst")}
    written = {path.name: path for path in (finished.folder / "results/tables").iterdir() if path.suffix != ".arrow"}
    assert written.keys() == wanted | {"gold_audit.jsonl", "checksums"}
    for name in ("dialogue.csv", "dialogue.md", "dialogue.tex"):
        assert "tiny" in written[name].read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("pattern", "schema", "count"),
    [
        ("results/datasets/*/sentences.arrow", schemas.SENTENCES, 1),
        ("results/datasets/*/triples.arrow", schemas.TRIPLES, 1),
        ("results/datasets/*/measures.arrow", schemas.MEASURES, 1),
        ("results/items/*/*.arrow", schemas.ITEMS, 3),
        ("results/responses/*/*/*.arrow", schemas.RESPONSES, 8),
        ("results/scores/*/*/*.arrow", schemas.SCORES, 8),
        ("results/tables/cells.arrow", schemas.CELLS, 1),
        ("results/tables/refusals.arrow", REFUSALS, 1),
        ("results/audits/*/*.arrow", schemas.AUDITS, 2),
    ],
)
def test_stages_write_declared_schemas(finished: Checkout, pattern: str, schema: pa.Schema, count: int) -> None:
    found = sorted(finished.folder.glob(pattern))
    assert len(found) == count
    for path in found:
        assert files.read(path, schema).num_rows > 0


def test_denominators_equal_asked_items(finished: Checkout) -> None:
    """Eight sentences, one of them without candidate sets; the dialogue model is asked four items of each task."""
    (translated,) = (row for row in finished.table("logical_translation") if row["model"] == "tiny")
    assert (translated["items"], translated["items_available"], translated["seeds"]) == (4, 8, 2)
    asked = {
        (row["model"], row["presentation"]): (
            row["most_similar_items"],
            row["most_similar_items_available"],
            row["ranking_items"],
            row["ranking_items_available"],
        )
        for table in ("dialogue", "embedding")
        for row in finished.table(table)
    }
    assert asked == {
        (model, presentation): (items, 8, items, 8)
        for model, items in (("tiny", 4), ("minilm", 7), ("chance", 7))
        for presentation in ("formula", "english")
    }


def test_cell_outcomes_sum_to_answers(finished: Checkout) -> None:
    outcomes = ["answered", "unparsable", "truncated", "empty", "blank", "refused", "failed"]
    rows = files.rows(finished.folder / "results/tables/cells.arrow", schemas.CELLS)
    assert {row["kind"] for row in rows} == {"chat", "embedding", "chance"}
    for row in rows:
        assert sum(row[name] for name in outcomes) == row["items"] * row["seeds"]
    chosen = [row for row in rows if row["model"] == "tiny" and row["task"] != "logical_translation"]
    assert chosen
    assert all(row["answered"] == 4 * 2 for row in chosen), "a constrained answer of a choice can always be read"


def test_translation_verdicts_and_losses_sum_to_answers(finished: Checkout) -> None:
    (row,) = (row for row in finished.table("logical_translation") if row["model"] == "tiny")
    verdicts = ["equivalent", "not_equivalent", "unknown", "invalid"]
    lost = ["unparsable", "truncated", "empty", "blank", "refused", "failed"]
    assert sum(row[name] for name in verdicts + lost) == 4 * 2


def test_chance_scores_match_hand_computation(finished: Checkout) -> None:
    """Three candidates to choose from; five to rank, of which two belong at the top and two at the bottom."""
    (translated,) = (row for row in finished.table("logical_translation") if row["model"] == "chance")
    assert translated["equivalence_mean"] == 0
    rows = [row for row in finished.table("dialogue") if row["model"] == "chance"]
    assert [row["presentation"] for row in rows] == ["formula", "english"]
    for row in rows:
        assert row["most_similar_accuracy_mean"] == pytest.approx(1 / 3, abs=1e-15)
        # 10 pairs of five, and 3 pairs of the three that are left.
        assert row["ranking_equivalence_mean"] == pytest.approx(1 / 10, abs=1e-15)
        assert row["ranking_negation_mean"] == pytest.approx(1 / 10, abs=1e-15)
        assert row["ranking_both_mean"] == pytest.approx(1 / 30, abs=1e-15)


def test_sentence_without_candidates_appears_in_refused_rows(finished: Checkout) -> None:
    refused = [(row["task"], row["item"], row["reason"]) for row in finished.table("refused_rows")]
    assert refused == [
        ("most_similar", "pets:3", "too_few_perturbations"),
        ("ranking", "pets:3", "too_few_perturbations"),
    ]


def test_audit_table_reports_zero_faults_per_check(finished: Checkout) -> None:
    rows = finished.table("audit")
    assert [(row["task"], row["check"]) for row in rows] == [
        (task, check) for task in ("most_similar", "ranking") for check in [*Check, "unknown"]
    ]
    assert all((row["sets"], row["items"], row["pairs"]) == (7, 0, 0) for row in rows)


def test_positions_cover_every_dialogue_answer(finished: Checkout) -> None:
    rows = finished.table("positions")
    assert {(row["model"], row["task"], row["protocol"]) for row in rows} == {("tiny", "most_similar", "audited")}
    for presentation in ("formula", "english"):
        *shown, whole = sorted(
            (row for row in rows if row["presentation"] == presentation), key=lambda row: row["position"] is None
        )
        assert [row["position"] for row in shown] == sorted({row["position"] for row in shown})
        assert (whole["position"], whole["answers"]) == (None, sum(row["answers"] for row in shown))
        assert sum(row["answers"] for row in shown) == 4 * 2
        (both,) = (
            row["most_similar_accuracy_mean"]
            for row in finished.table("dialogue")
            if (row["model"], row["presentation"]) == ("tiny", presentation)
        )
        assert sum(row["answers"] * row["accuracy"] for row in shown) == pytest.approx(both * 8)


def test_edit_mix_counts_candidate_members(finished: Checkout) -> None:
    """Seven sets of three members, seven of five."""
    members: dict[tuple[str, str], int] = {}
    for row in finished.table("edit_mix"):
        key = row["task"], row["role"]
        members[key] = members.get(key, 0) + row["members"]
    assert members == {
        ("most_similar", "gold"): 7,
        ("most_similar", "perturbation"): 14,
        **{("ranking", role): 7 for role in ("gold", "perturbation", "equivalent", "negation", "negation_normal_form")},
    }
    sizes = [(row["task"], row["perturbations"], row["items"]) for row in finished.table("set_sizes")]
    assert sizes == [("most_similar", 2, 7), ("ranking", 1, 7)]


def test_snakemake_report_contains_tables(again: Checkout) -> None:
    again.run("--report", "report.html")
    assert "refused_rows.csv" in again.read("report.html")
