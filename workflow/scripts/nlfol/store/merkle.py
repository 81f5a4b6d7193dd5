"""Merkle trees as in RFC 6962, section 2.1: one digest for many leaves, in their order.

A leaf's digest is SHA-256 of a zero byte and the leaf, a node's of a one byte and both digests below it, so that no
node passes for a leaf. The root of the first n leaves stays computable when leaves are added at the end.
"""

from hashlib import sha256


class MerkleTree:
    """A tree of the leaves that were added, of which it keeps one digest for each complete subtree."""

    def __init__(self) -> None:
        self.leaves = 0
        self._complete: list[bytes] = []

    def add(self, leaf: bytes) -> None:
        """Add a leaf behind the others."""
        node, count = sha256(b"\0" + leaf).digest(), self.leaves
        while count % 2:
            node, count = sha256(b"\1" + self._complete.pop() + node).digest(), count // 2
        self._complete.append(node)
        self.leaves += 1

    @property
    def root(self) -> str:
        """The root, in hexadecimal; that of no leaves is the SHA-256 of nothing."""
        if not self._complete:
            return sha256().hexdigest()
        *others, node = self._complete
        for left in reversed(others):
            node = sha256(b"\1" + left + node).digest()
        return node.hex()
