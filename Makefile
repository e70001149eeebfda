# Every verb prepares the virtual environment first; the second time that costs nothing.

VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
DOCS_INSTALLED := $(VENV)/.docs-installed
PYTHON ?= python3
JOBS ?= 2
SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer

.DEFAULT_GOAL := help
.PHONY: help demo test check sanitize bench zoo docs clean

help: ## List the verbs
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(INSTALLED) ## Diagnose a program whose scores are bad, then read the recorded run back
	$(BIN)/stetho run examples/bad_scores.py
	$(BIN)/stetho show --layers
	$(BIN)/stetho query "select name, avg(ratio) as moves_by, min(ratio) as least, max(ratio) as most \
	  from stats where role = 'update' group by name order by name"

test: $(INSTALLED) ## Run all tests
	@$(BIN)/pytest -q -n $(JOBS)

check: $(INSTALLED) ## Lint, format, types, architecture
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/pytest -q tests/test_architecture.py

sanitize: $(INSTALLED) ## Test the native kernel with the address and undefined-behaviour sanitizers
	@CFLAGS='$(SANITIZERS) -O1 -g' LDFLAGS='$(SANITIZERS)' $(BIN)/python setup.py -q build --force --build-base build/sanitized --build-lib build/sanitized/lib
	@LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" \
	  ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 PYTHONPATH=build/sanitized/lib \
	  $(BIN)/pytest -q -p no:cacheprovider tests/stats/test_native_kernel.py tests/stats/test_sightings.py tests/capture/test_guard.py tests/capture/torch/test_trail.py

bench: $(INSTALLED) ## Measure our overhead next to others' and write docs/performance.md
	@$(BIN)/python bench/run.py

zoo: $(INSTALLED) ## Measure the checks on programs with known faults and write docs/calibration.md
	@$(BIN)/python zoo/run.py --jobs $(JOBS)

docs: $(DOCS_INSTALLED) ## Generate the reference and build the site in site/
	@$(BIN)/python docs/generate.py
	@$(BIN)/mkdocs build --strict --quiet
	@echo 'open site/index.html'

clean: ## Remove the environment and everything that was built
	rm -rf $(VENV) .venv-bench site build dist src/*.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(INSTALLED): pyproject.toml constraints.txt
	@echo 'Installing into $(VENV) (once; a few minutes)'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -qq -c constraints.txt -e '.[all,test,check]'
	@touch $@

$(DOCS_INSTALLED): $(INSTALLED)
	@$(BIN)/python -m pip install -qq -c constraints.txt -e '.[docs]'
	@touch $@
