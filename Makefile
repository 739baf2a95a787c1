# Everything happens in this checkout: the environment and compiled rules are in .venv.
PYTHON ?= python3
BIN := .venv/bin
TSC := npx --yes --package typescript@5 tsc
HOST ?= 127.0.0.1
PORT ?= 8000
# Many tests wait for a server, a browser or a clock, so more of them run at a time than there are cores.
AT_A_TIME ?= $(shell $(PYTHON) -c 'import os; print(os.cpu_count() + 1)')

.PHONY: play terminal test check mutants prove bench bench-server setup golden lock clean

play: .venv/ready ## serve the games to browsers on this machine, with HOST=0.0.0.0 to the whole network; tables are kept in spellheist-data
	@SPELLHEIST_KERNEL=plain $(BIN)/spellheist serve --host $(HOST) --port $(PORT) --open

terminal: .venv/ready ## play a game in the terminal
	@$(BIN)/spellheist play

test: .venv/ready ## all tests: rules and machinery plain, rules again with bounds checks, every law in every mode
	@.ci/packages
	$(BIN)/python -m pytest -n $(AT_A_TIME) --dist loadfile
	SPELLHEIST_KERNEL=checked $(BIN)/python -m pytest -n auto --dist loadfile spellheist/games/*/test_rules.py
	$(BIN)/spellheist check --plies 120000 --no-bots

check: .venv/ready ## style and types, of the page too
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy
	@if command -v npx >/dev/null; then $(TSC) -p spellheist/web/jsconfig.json && $(TSC) -p spellheist/games/jsconfig.json; \
	else echo "There is no npm here: the types of the page are not checked."; fi

mutants: .venv/ready ## are the tests awake? 300 small changes of the package, each of which a test should notice; takes hours
	$(BIN)/python tests/mutants.py --threads 2

bench: .venv/ready ## speed, and the same against C and OpenSpiel as ratios in one run
	$(BIN)/python benchmarks/run.py

bench-server: .venv/ready ## the server under load beside boardgame.io's, in a flood, and races over slow lines
	$(BIN)/python benchmarks/server.py
	$(BIN)/python benchmarks/flood.py
	$(BIN)/python benchmarks/race.py

# What takes hours. Each step leaves what it printed in .prove/STEP when it has passed, and is not done again until that is
# removed; soaks also keep how far they are, and continue from there.
KEPT = --kept .prove/$(@F).json
STEPS := laws kills twins fuzz storm-sqlite storm-postgres stateful mutants race flood server review
.prove/laws: DO = $(BIN)/spellheist check
.prove/kills: DO = $(BIN)/python tests/server/soak.py --kills 1000 $(KEPT)
.prove/twins: DO = $(BIN)/python tests/server/twin_soak.py --bytes 100000000 $(KEPT)
.prove/fuzz: DO = $(BIN)/python tests/server/fuzz.py --messages 1000000 $(KEPT)
.prove/storm-sqlite: DO = $(BIN)/python tests/server/storm.py --store sqlite --faults 500 --moves 10000 $(KEPT)
.prove/storm-postgres: DO = $(BIN)/python tests/server/storm.py --store postgres --faults 500 --moves 10000 $(KEPT)
.prove/stateful: DO = SPELLHEIST_EXAMPLES=3000 $(BIN)/python -m pytest tests/server/test_stateful.py
.prove/mutants: DO = $(BIN)/python tests/mutants.py --threads 2 $(KEPT)
.prove/race: DO = $(BIN)/python benchmarks/race.py
.prove/flood: DO = $(BIN)/python benchmarks/flood.py
.prove/server: DO = $(BIN)/python benchmarks/server.py
.prove/review: DO = SPELLHEIST_LONG=1 $(BIN)/python -m pytest tests/review && $(BIN)/python tests/review/prove.py --games 1000

prove: $(STEPS:%=.prove/%) ## the long forms: soaks, storms and benchmarks; takes hours, and continues where it was stopped
	@cat $^

.prove/%: .venv/ready
	@.ci/packages
	@mkdir -p .prove
	@echo "$*: $(DO)"
	@$(DO) > .prove/$*.part || { tail -40 .prove/$*.part; exit 1; }
	@mv .prove/$*.part $@

setup: .venv/ready ## make the environment

.venv/ready: requirements.lock pyproject.toml
	@echo "Making an environment in .venv (once; about a minute)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Spellheist needs Python 3.11 or later; name one with: make PYTHON=python3.12 ...")'
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch .venv/ready

golden: .venv/ready ## after an intentional rule change or a new message: regenerate signatures, records, statistics, the protocol page
	$(BIN)/python tests/regenerate.py

lock: ## pin all packages anew, without addresses
	uv pip compile --universal --generate-hashes --no-header --no-emit-index-url --extra dev -o requirements.lock pyproject.toml

clean: ## remove what was made
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis .prove benchmarks/build bench.json
