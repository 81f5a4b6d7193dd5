# Large datasets: a stage's file is made in parts, in parallel, and gathered by the rule that otherwise makes it whole.


def one_job(where):
    """A test of models' entries: those of a kind that are asked by one job for each dataset and task."""
    return lambda entry: where(entry) and entry.shards == 1


def several_jobs(where):
    """A test of models' entries: those of a kind that are asked by several."""
    return lambda entry: where(entry) and entry.shards > 1


SHARDED = models_of("chat", where=several_jobs(lambda _: True))


scattergather:
    **{name: entry.shards for name, entry in CONFIGURATION.datasets.items()},
    # No dataset's name has this sign.
    **{f"@{name}": CONFIGURATION.models[name].shards for name in SHARDED},


def part_file(file):
    """Return the path of a part of a file."""
    place = file.removeprefix(RESULTS).removesuffix(".arrow")
    return f"{RESULTS}/parts{place}/{{scatteritem}}.arrow"


def parts_of(file):
    """Return the parts of a file; none if it is made whole."""

    def parts(wildcards):
        found = gathered_parts(wildcards.dataset, file, wildcards)
        return found if len(found) > 1 else []

    return parts


def asked_parts_of(file):
    """Return the parts of a file of answers of a model."""
    return lambda wildcards: gathered_parts(f"@{wildcards.model}", file, wildcards)


def gathered_parts(process, file, wildcards):
    """Return the parts of a file that a process scatters."""
    return getattr(gather, process)(part_file(file), **dict(wildcards.items()))


def drawn_parts_of(file):
    """Return the parts of a file if its dataset is drawn from a grammar, each a range of values; else none."""
    parts = parts_of(file)
    return lambda wildcards: (
        parts(wildcards)
        if CONFIGURATION.datasets[wildcards.dataset].reader == "grammar"
        else []
    )
