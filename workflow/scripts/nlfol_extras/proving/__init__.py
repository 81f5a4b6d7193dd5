"""Proofs that no text or pair at hand needs: of equations, and by models over the integers."""
