# `make run` and `make test` do all the set-up on a fresh machine; a second run installs nothing.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: run test lint types layers programs docs bench mutants clean

run: $(READY)
	$(BIN)/evenhand serve

# The two workers share the cores: linear algebra on threads of its own would only make them wait for each other.
test: export OPENBLAS_NUM_THREADS = 1
test: export OMP_NUM_THREADS = 1
test: lint types layers programs
	$(BIN)/pytest -n 2 --dist loadgroup -q

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

layers: $(READY)
	$(BIN)/lint-imports --no-cache

# What the tests need beside Python: a browser for the pages, and Java for tables in Spark.
define debian
	@command -v $(1) >/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -q && apt-get install -qy $(2); } || \
	  { echo "The tests need $(1): install it (Debian: apt-get install $(2))"; exit 1; }
endef

programs:
	$(call debian,chromium,chromium)
	$(call debian,java,default-jre-headless)

docs: $(READY)
	$(BIN)/sphinx-build -q -W --keep-going docs build/docs
	@echo "Open build/docs/index.html"

bench: $(READY)
	$(BIN)/python -m bench $(PARTS)

# Half an hour at most; docs/mutants.md says what comes out.
mutants: $(READY)
	$(BIN)/python -m bench.mutants

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis dist build mutants

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "evenhand needs Python 3.11 or newer; name one with: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -q && apt-get install -qy python3-venv; } || \
	  { echo "Python's venv module is missing: install it (Debian: apt-get install python3-venv)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q 'pip>=25.1'
	$(BIN)/python -m pip install -q -c constraints.txt -e '.[all]' --group dev --group docs
	@touch $@
