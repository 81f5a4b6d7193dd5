"""Print the folder of lm-eval's tasks: ``python -m nlfol.harnesses``."""

from nlfol.harnesses import LM_EVAL

print(LM_EVAL)
