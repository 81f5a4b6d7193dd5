"""Merkle trees: one digest for many leaves."""

from hashlib import sha256
from itertools import pairwise

import pytest

from nlfol.store.merkle import MerkleTree

LEAVES = [bytes.fromhex(leaf) for leaf in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657")]
LEAVES += [bytes(range(0x60, 0x70))]
ROOTS = {
    0: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    2: "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    3: "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    8: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
}
"""Roots of the first leaves, as the tests of Certificate Transparency have them."""


def root(leaves: list[bytes]) -> str:
    tree = MerkleTree()
    for leaf in leaves:
        tree.add(leaf)
    return tree.root


def by_definition(leaves: list[bytes]) -> bytes:
    """RFC 6962, section 2.1, word by word."""
    if len(leaves) < 2:
        return sha256(b"\0" + leaves[0]).digest() if leaves else sha256().digest()
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return sha256(b"\1" + by_definition(leaves[:split]) + by_definition(leaves[split:])).digest()


@pytest.mark.parametrize("count", ROOTS)
def test_root_matches_certificate_transparency(count: int) -> None:
    assert root(LEAVES[:count]) == ROOTS[count]


def test_root_matches_definition_for_any_number_of_leaves() -> None:
    leaves = [str(number).encode() for number in range(70)]
    assert [root(leaves[:count]) for count in range(71)] == [by_definition(leaves[:count]).hex() for count in range(71)]


def test_root_depends_on_order_number_and_each_leaf() -> None:
    leaves = [b"a", b"b", b"c", b"d"]
    others = [leaves[::-1], leaves[:3], [*leaves, b"d"], [b"a", b"b", b"c", b"e"], [b"ab", b"c", b"d"]]
    assert len({root(each) for each in (leaves, *others)}) == 6


def test_node_does_not_pass_for_a_leaf() -> None:
    below = [sha256(b"\0" + leaf).digest() for leaf in LEAVES[:2]]
    assert root([b"".join(below)]) != root(LEAVES[:2])
    assert all(one != other for one, other in pairwise(root(LEAVES[:count]) for count in range(9)))
