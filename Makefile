# demo, test, check, bench, docs: each sets up its own .venv first. Needs Python 3.11 or later and pip.
PYTHON ?= $(shell for one in python3.11 python3.12 python3.13 python3.14 python3 python; do \
	"$$one" -c "import sys; sys.exit(sys.version_info < (3, 11))" 2>/dev/null && echo "$$one" && break; done)
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
export OPENBLAS_NUM_THREADS ?= 1
export OMP_NUM_THREADS ?= 1

.PHONY: demo test test-part check bench docs format clean

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "No Python 3.11 or later was found: make PYTHON=/path/to/python"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/demo.stamp: pyproject.toml | $(BIN)/python
	$(INSTALL) --editable '.[demo]'
	@touch $@

$(VENV)/dev.stamp: pyproject.toml | $(BIN)/python
	$(INSTALL) --editable '.[dev]'
	@touch $@ $(VENV)/demo.stamp

demo: $(VENV)/demo.stamp
	@$(BIN)/atlas-rag demo
	@echo "The program is $(BIN)/atlas-rag here; to call it by name: source $(BIN)/activate"

test: $(VENV)/dev.stamp
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder -q

# What depends on the version of Python most: values, plans, the wire, and the way of a question.
test-part: $(VENV)/dev.stamp
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder -q tests/sdk/golden tests/sdk/unit/stages tests/sdk/unit/query \
		tests/sdk/unit/plan tests/sdk/unit/retriever

check: $(VENV)/dev.stamp
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(VENV)/dev.stamp
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "The pages are in site/: open site/index.html"

bench: $(VENV)/dev.stamp
	$(BIN)/python -m scripts.bench

format: $(VENV)/dev.stamp
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis site
