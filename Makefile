# For people who work on the code. Those who use it need no make: python3 -m referee --help
.DEFAULT_GOAL := help
PYTHON := .venv/bin/python
UV := uv
COMPILE := $(UV) pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --quiet \
	--no-header --no-annotate --no-emit-index-url --no-emit-find-links

.PHONY: help
help: ## list what there is
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

.PHONY: setup
setup: ## make .venv, with all that tests and checks need
	@python3 -m referee test --version

.PHONY: check
check: setup ## what CI runs: format, lint, lengths, types, layers, tests
	$(PYTHON) -m tests.checks
	python3 -m referee test

.PHONY: test
test: ## the tests alone
	python3 -m referee test

.PHONY: format
format: setup ## format the code in place
	.venv/bin/ruff format .
	.venv/bin/ruff check --fix .

.PHONY: demo
demo: ## play the demonstration
	python3 -m referee demo

.PHONY: bench
bench: setup ## the figures of speed, as ratios
	$(PYTHON) -m tests.bench

.PHONY: figures
figures: setup ## a run of the bench, kept: docs/bench.json, and from it docs/bench.svg and docs/CAPACITY.md
	$(PYTHON) -m tests.bench --json docs/bench.json --picture docs/bench.svg
	$(PYTHON) -m tests.bench.capacity docs/bench.json > docs/CAPACITY.md.new
	mv docs/CAPACITY.md.new docs/CAPACITY.md

DEALS := 20000
.PHONY: soak
soak: setup ## random play at length: DEALS deals (20000) of every rule-set
	REFEREE_SOAK_DEALS=$(DEALS) python3 -m referee test tests/properties tests/oracle tests/perft --timeout 0 -n 2

RUNS := 30
.PHONY: faults
faults: setup ## tournaments in which everything is killed: RUNS seeded runs (30), compared with runs left alone
	$(PYTHON) -m tests.faults --runs $(RUNS) $(if $(SEED),--seed $(SEED))

MATCHES := 200
.PHONY: clocks
clocks: setup ## MATCHES (200) at once at 100 ms an act till DEALS (20000) are played: how many lost by time that were in time
	$(PYTHON) -m tests.faults.clocks --deals $(DEALS) --matches $(MATCHES) $(if $(SEED),--seed $(SEED))

.PHONY: openapi
openapi: setup ## make openapi.yaml anew from the code
	$(PYTHON) -m referee.web.openapi > openapi.yaml.new
	mv openapi.yaml.new openapi.yaml

.PHONY: lawbook
lawbook: setup ## make referee/laws/LAWBOOK.md anew from the laws, their cases and tables
	$(PYTHON) -m referee.laws.lawbook > referee/laws/LAWBOOK.md.new
	mv referee/laws/LAWBOOK.md.new referee/laws/LAWBOOK.md

MUTANTS := build/mutants
.PHONY: mutants
mutants: setup ## small faults put into laws and scoring must be seen (needs cosmic-ray; half an hour)
	rm -rf $(MUTANTS) && mkdir -p $(MUTANTS)
	cp -r pyproject.toml README.md openapi.yaml clients referee tests workers $(MUTANTS)
	find $(MUTANTS) -name __pycache__ -prune -exec rm -rf {} +
	cd $(MUTANTS) && export PATH="$(CURDIR)/.venv/bin:$$PATH" PYTHONDONTWRITEBYTECODE=1 && \
	cosmic-ray init tests/mutation/cosmic-ray.toml mutants.sqlite && \
	cr-filter-operators mutants.sqlite tests/mutation/cosmic-ray.toml && \
	cosmic-ray exec tests/mutation/cosmic-ray.toml mutants.sqlite && \
	cr-report mutants.sqlite --show-diff --surviving-only && cr-rate mutants.sqlite --fail-over 10

.PHONY: requirements
requirements: ## resolve the hashed requirements anew (needs uv)
	$(COMPILE) --output-file requirements/runtime.txt
	$(COMPILE) --extra test --extra dev --constraint requirements/runtime.txt --output-file requirements/dev.txt
