# Large datasets: a stage's file is made in parts, in parallel, and gathered by the rule that otherwise makes it whole.


scattergather:
    **{name: entry.shards for name, entry in CONFIGURATION.datasets.items()},


def part_file(file):
    """Return the path of a part of a file."""
    place = file.removeprefix(RESULTS).removesuffix(".arrow")
    return f"{RESULTS}/parts{place}/{{scatteritem}}.arrow"


def parts_of(file):
    """Return the parts of a file; none if it is made whole."""

    def parts(wildcards):
        of_dataset = getattr(gather, wildcards.dataset)
        found = of_dataset(part_file(file), **dict(wildcards.items()))
        return found if len(found) > 1 else []

    return parts


def drawn_parts_of(file):
    """Return the parts of a file if its dataset is drawn from a grammar, each a range of values; else none."""
    parts = parts_of(file)
    return lambda wildcards: (
        parts(wildcards)
        if CONFIGURATION.datasets[wildcards.dataset].reader == "grammar"
        else []
    )
