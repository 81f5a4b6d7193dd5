"""Process of its own, without the library, that asks cvc5 one SMT-LIB script from standard input."""

import importlib
import sys


def main(seconds: int, script: str) -> str:
    """Print ``cvc5 answers`` and the result of finite model finding: ``sat``, ``unsat``, ``unknown``, or an error."""
    cvc5 = importlib.import_module("cvc5")
    solver = cvc5.Solver()
    solver.setOption("finite-model-find", "true")
    solver.setOption("tlimit-per", str(1000 * seconds))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "question")
    symbols = parser.getSymbolManager()
    answer = ""
    while not (command := parser.nextCommand()).isNull():
        answer = str(command.invoke(solver, symbols)) or answer
    return f"cvc5 answers {answer}"


if __name__ == "__main__":
    sys.stdout.write(main(int(sys.argv[1]), sys.stdin.read()))
