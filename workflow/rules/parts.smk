# Large datasets: a stage's file is made in parts, side by side, and gathered by the rule that otherwise makes it whole.


scattergather:
    **{name: entry.shards for name, entry in CONFIGURATION.datasets.items()},


def part_file(file):
    """Where a part of a file lies until the file is gathered."""
    place = file.removeprefix(RESULTS).removesuffix(".arrow")
    return f"{RESULTS}/parts{place}/{{scatteritem}}.arrow"


def parts_of(file):
    """The parts of a file; none where it is made in one go."""

    def parts(wildcards):
        of_dataset = getattr(gather, wildcards.dataset)
        found = of_dataset(part_file(file), **dict(wildcards.items()))
        return found if len(found) > 1 else []

    return parts


def drawn_parts_of(file):
    """The parts of a file of a dataset that is drawn from a grammar, each a range of values; else none."""
    parts = parts_of(file)
    return lambda wildcards: (
        parts(wildcards)
        if CONFIGURATION.datasets[wildcards.dataset].reader == "grammar"
        else []
    )
