"""What a run was and where its figures come from: the manifest, and the way back from a table cell."""
