# Everything happens in this checkout: the environment and compiled rules are in .venv.
PYTHON ?= python3
BIN := .venv/bin
TSC := npx --yes --package typescript@5 tsc
HOST ?= 127.0.0.1
PORT ?= 8000

.PHONY: play terminal test check bench bench-server setup golden lock clean

play: .venv/ready ## serve the games to browsers on this machine, with HOST=0.0.0.0 to the whole network; tables are kept in spellheist-data
	@SPELLHEIST_KERNEL=plain $(BIN)/spellheist serve --host $(HOST) --port $(PORT) --open

terminal: .venv/ready ## play a game in the terminal
	@$(BIN)/spellheist play

test: .venv/ready ## all tests: rules and machinery plain, rules again with bounds checks, every law in every mode
	@.ci/packages
	$(BIN)/python -m pytest -n auto --dist loadfile
	SPELLHEIST_KERNEL=checked $(BIN)/python -m pytest -n auto --dist loadfile spellheist/games/*/test_rules.py
	$(BIN)/spellheist check --plies 120000 --no-bots

check: .venv/ready ## style and types, of the page too
	$(BIN)/ruff check .
	$(BIN)/mypy
	@if command -v npx >/dev/null; then $(TSC) -p spellheist/web/jsconfig.json && $(TSC) -p spellheist/games/jsconfig.json; \
	else echo "There is no npm here: the types of the page are not checked."; fi

bench: .venv/ready ## speed, and the same against C and OpenSpiel as ratios in one run
	$(BIN)/python benchmarks/run.py

bench-server: .venv/ready ## the server under load beside boardgame.io's, in a flood, and races over slow lines
	$(BIN)/python benchmarks/server.py
	$(BIN)/python benchmarks/flood.py
	$(BIN)/python benchmarks/race.py

setup: .venv/ready ## make the environment

.venv/ready: requirements.lock pyproject.toml
	@echo "Making an environment in .venv (once; about a minute)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Spellheist needs Python 3.11 or later; name one with: make PYTHON=python3.12 ...")'
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch .venv/ready

golden: .venv/ready ## after a change of the rules on purpose: signatures, golden records, statistics
	$(BIN)/python tests/regenerate.py

lock: ## pin all packages anew, without addresses
	uv pip compile --universal --generate-hashes --no-header --no-emit-index-url --extra dev -o requirements.lock pyproject.toml

clean: ## remove what was made
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis benchmarks/build bench.json
