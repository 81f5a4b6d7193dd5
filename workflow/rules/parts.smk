# Large datasets: a stage's file is made in parts, side by side, and gathered from them by the rule that makes it whole.

from snakemake.io import IOFile


def part_files(file):
    """Where the parts of a file lie until it is gathered."""
    place = file.removeprefix(RESULTS).removesuffix(".arrow")
    return f"{RESULTS}/parts{place}/{{part}}.arrow"


def parts_of(rule, file):
    """The parts that a rule gathers into a file; none where the rule makes it in one go."""

    def parts(wildcards):
        path = file.format(**dict(wildcards.items()))
        number = recorded_parts(rule, wildcards, path)
        if number is None:
            number = CONFIGURATION.datasets[wildcards.dataset].shards
        names = [f"{part}-of-{number}" for part in range(1, number + 1)]
        return expand(part_files(path), part=names) if number > 1 else []

    return parts


def recorded_parts(rule, wildcards, path):
    """In how many parts a file was made that is there, with the parameters that the rule has now.

    Snakemake makes a file again when its inputs are others, and parts are inputs; but they decide nothing of what is in
    it. So a finished file keeps those it has.
    """
    file = IOFile(path)
    inputs, made_with = workflow.persistence.input(file), workflow.persistence.params(
        file
    )
    if not Path(path).exists() or inputs is None or made_with is None:
        return None
    parameters = [
        value(wildcards) if callable(value) else value
        # By its name here: a workflow that uses this one as a module may have given it another.
        for value in getattr(rules, rule).rule.params
    ]
    if set(map(repr, parameters)) != set(made_with):
        return None
    return max(1, sum(name.startswith(f"{RESULTS}/parts/") for name in inputs))


wildcard_constraints:
    part=r"[1-9]\d*-of-[1-9]\d*",
