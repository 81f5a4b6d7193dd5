"""Right answers in the dress that models give them: the share that is read and scored right, by task and mode.

    python benchmarks/phrasings.py [--unread]

The phrasings are those of ``tests/unit/envelopes``: sixty a mode, that is ways of holding an answer to its form. Beside
the share under ``envelope: tolerant`` stands that under ``strict``, then how many wrong answers in the same phrasings,
refusals, contradictions, and answers that are cut off or stand in a thought alone were scored as right. ``--unread``
lists the right ones that were not read.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.unit.tasks.answered import CASES, Case
from tests.unit.tasks.later_phrasings import MODES
from tests.unit.tasks.phrasings import REFUSED, contradictory, unfinished


def negatives(case: Case) -> dict[str, str]:
    """Return texts that are no right answer, by name."""
    refused = {f"refused: {text}": text for text in REFUSED}
    return {**refused, **contradictory(case.right, case.wrong), **unfinished(case.right)}


def main() -> None:
    """Print the shares."""
    parser = argparse.ArgumentParser(description="Shares of right answers that are read, by task and mode.")
    parser.add_argument("--unread", action="store_true", help="list the right answers that were not read")
    options = parser.parse_args()
    totals: Counter[tuple[str, str]] = Counter()
    print(f"{'task':<22}" + "".join(f"{mode:>29}" for mode in MODES) + f"{'taken for right':>20}")
    unread: list[str] = []
    for case in CASES:
        strict = case.with_envelope("strict")
        cells, wrong = "", 0
        for mode, phrasings in MODES.items():
            counts: Counter[str] = Counter()
            for name, phrasing in phrasings.items():
                text = phrasing(case.right)
                counts["strict"] += strict.scored(text)[0] == "right"
                outcome, _ = case.scored(text)
                counts["tolerant"] += outcome == "right"
                wrong += case.scored(phrasing(case.wrong))[0] == "right"
                if outcome != "right":
                    unread.append(f"{case.name}, {mode}, {name}: {outcome}: {text!r}")
            cells += f"{counts['strict']:>12} {counts['tolerant']:>6} of {len(phrasings):<6}"
            totals.update({(mode, name): count for name, count in counts.items()})
            totals[mode, "all"] += len(phrasings)
        texts = negatives(case)
        taken = [name for name, text in texts.items() if case.scored(text)[0] == "right"]
        print(f"{case.name:<22}{cells}{wrong + len(taken):>9} of {len(texts) + sum(map(len, MODES.values()))}")
        unread += [f"{case.name}: TAKEN FOR RIGHT: {name}" for name in taken]
    shares = ""
    for mode in MODES:
        before, after, count = (totals[mode, name] for name in ("strict", "tolerant", "all"))
        shares += f"{before / count:>12.3f} {after / count:>6.3f} of {count:<6}"
    print(f"{'all':<22}{shares}")
    if options.unread:
        print("\n".join(unread))


if __name__ == "__main__":
    main()
