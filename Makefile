# Every target works alone on a fresh machine with git, make and Python 3.11+ (with venv): the private environment
# .venv is made first, from requirements.lock. PYTHON=... names an interpreter, JOBS=... the number of processes.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

JOBS ?= 2
ARGS ?=
RUN := .venv/bin/python -m
READY := .venv/.installed
export PYTHON

DEPENDENCIES ?= newest
N ?= 5000
SEED ?= 1
RUNS ?= 10
SHARE ?= 20
OLDEST := build/environments/oldest

.PHONY: help certify recheck proofs test test-slow test-campaigns test-oldest attack torture first-contact bench bench-write reproduce-write docs test-site lint types mypy exported format lock clean

help:
	@echo "make certify    re-derive every verdict and compare with proofs_checks/ledger.json (ARGS='002.*' for some)"
	@echo "make recheck    the kernel alone checks every certificate that make certify wrote"
	@echo "make proofs     Coq (the package coq of your system) proves what it can of the same certificates, a few minutes"
	@echo "make test       the tests that take about a second each or less; five minutes (ARGS='-k grr' for some)"
	@echo "make test-slow  the others: audits of whole files, whole runs, wheels, large domains; ten minutes"
	@echo "make test-campaigns  long searches and audits of released libraries, in environments of their own; a quarter of an hour"
	@echo "make test-oldest  all three, with the oldest allowed releases of the dependencies (in $(OLDEST))"
	@echo "make attack     false statements and changed certificates are given to the kernel (N=50000 SEED=1)"
	@echo "make torture    kills, damaged journals, full disks, signals, garbage to all readers (N=1000000 RUNS=10 SEED=1)"
	@echo "make first-contact  README, guide and bad inputs from the wheel (DEPENDENCIES=lowest: oldest allowed releases)"
	@echo "make bench      measured ratios in one table, a quarter of an hour; fails where a required one is missed (ARGS='-k audit')"
	@echo "make bench-write  the same, and docs/data/benchmarks.json, of which the documentation's page is made"
	@echo "make reproduce-write  docs/data/reproduce-000.json, -001.json, -003.json, -004.json and enclosures.json, shown in the documentation (minutes)"
	@echo "make docs       the documentation, in docs/_build/html: links, formulas and weight are looked at"
	@echo "make test-site  the same of documentation that is built; in Chromium, where it is installed, what is cut or slow"
	@echo "make lint       ruff (rules and format) and make types"
	@echo "make types      mypy --strict, and pyright: the types of all that others import are known"
	@echo "make format     let ruff rewrite the code"
	@echo "make lock       pin the newest allowed dependencies in requirements.lock"
	@echo "make clean      remove the environment and everything generated that is not committed"

$(READY): requirements.lock pyproject.toml .ci/bootstrap .ci/hatch_build.py
	@sh .ci/bootstrap

certify: $(READY)
	@.venv/bin/dp-refimpl certify --jobs $(JOBS) $(ARGS)

# A share of the certificates at a time; what is said of a share is a file of its own, so that no line is torn.
recheck: export PYTHONPATH = proofs_checks
recheck: $(READY)
	@rm -rf build/certify/recheck && mkdir -p build/certify/recheck
	@printf '%s\0' build/certify/certificates/*.json | xargs -0 -n $(SHARE) -P $(JOBS) sh -c '.venv/bin/python -S -m dp_kernel \
		--ledger proofs_checks/ledger.json "$$@" >>build/certify/recheck/$$$$.txt' share \
		|| (cat build/certify/recheck/*.txt | grep -v ^accepted; false)
	@cat build/certify/recheck/*.txt | sort >build/certify/recheck.txt
	@echo "the kernel accepts $$(wc -l <build/certify/recheck.txt) certificates, with nothing but the standard library"

# What Coq has said of a file is kept by content in build/coq. ARGS=--write replaces proofs_checks/dp_coq/theorems.json.
proofs: $(READY)
	@$(RUN) dp_coq --jobs $(JOBS) $(ARGS)

test: $(READY)
	@$(RUN) pytest -p no:benchmark -n $(JOBS) --dist worksteal -m "not slow and not campaign" $(ARGS)

test-slow: $(READY)
	@$(RUN) pytest -p no:benchmark -n $(JOBS) --dist worksteal -m slow $(ARGS)

test-campaigns: $(READY)
	@$(RUN) pytest -p no:benchmark -n $(JOBS) --dist worksteal -m campaign $(ARGS)

$(OLDEST)/.installed: $(READY)
	@PYTHONPATH=tests $(RUN) first_contact.environments $(OLDEST)
	@touch $@

test-oldest: $(OLDEST)/.installed
	@$(OLDEST)/bin/python -m pytest -p no:benchmark -n $(JOBS) --dist worksteal $(ARGS)

attack: $(READY)
	@PYTHONPATH=tests $(RUN) attack --number $(N) --seed $(SEED) --jobs $(JOBS) $(ARGS)

torture: N = 100000
torture: $(READY)
	@PYTHONPATH=tests $(RUN) torture --inputs $(N) --runs $(RUNS) --seed $(SEED) --jobs $(JOBS) $(ARGS)

first-contact: $(READY)
	@PYTHONPATH=tests $(RUN) first_contact $(DEPENDENCIES)

bench: $(READY)
	@PYTHONPATH=tests $(RUN) benchmarks $(ARGS)

bench-write: $(READY)
	@PYTHONPATH=tests $(RUN) benchmarks --write

reproduce-write: $(READY)
	@.venv/bin/dp-refimpl reproduce 000 --jobs $(JOBS)
	@$(RUN) dp_studies.pages.shuffle_errors
	@$(RUN) dp_studies.pages.published_bounds
	@.venv/bin/dp-refimpl reproduce 001 --jobs $(JOBS)
	@$(RUN) dp_studies.pages.range_errors
	@.venv/bin/dp-refimpl reproduce 003 --jobs $(JOBS)
	@$(RUN) dp_studies.pages.synthetic_tables
	@.venv/bin/dp-refimpl reproduce 004 --jobs $(JOBS)
	@$(RUN) dp_studies.pages.reproduction

docs: $(READY)
	@$(RUN) sphinx -q -n -W --keep-going -j $(JOBS) -b html -d docs/_build/trees docs docs/_build/html $(ARGS)
	@cd docs/_build/html && ls objects.inv llms.txt advisories >/dev/null
	@PYTHONPATH=tests $(RUN) website --rules
	@echo "open docs/_build/html/index.html"

test-site: $(READY)
	@PYTHONPATH=tests $(RUN) website $(ARGS)

lint: $(READY)
	@$(RUN) ruff check .
	@$(RUN) ruff format --check .
	@$(MAKE) types

# One process each: none of them uses two.
types: $(READY)
	@$(MAKE) --no-print-directory --jobs $(JOBS) mypy exported

mypy: $(READY)
	@$(RUN) mypy --strict

exported: $(READY)
	@PYTHONPATH=tests $(RUN) structure.public_types

format: $(READY)
	@$(RUN) ruff check --fix .
	@$(RUN) ruff format .

lock:
	@sh .ci/lock

clean:
	rm -rf .venv build dist docs/_build docs/_generated .coverage .coverage.* htmlcov .benchmarks
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find spec refimpl proofs_checks tests docs .ci -name __pycache__ -type d -prune -exec rm -rf {} +
