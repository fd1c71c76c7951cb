# An active virtual environment is used as it is; otherwise one is made in .venv, with $(PYTHON).
PYTHON ?= python3
VENV := $(if $(wildcard $(VIRTUAL_ENV)/bin/python),$(VIRTUAL_ENV),.venv)
RUN := $(VENV)/bin/python
PIP_INSTALL := -m pip install --quiet --disable-pip-version-check
# The first pip that knows dependency groups.
PIP := pip>=25.1
INSTALL := $(RUN) $(PIP_INSTALL) --constraint constraints.txt

# Extra pytest arguments, as in `make test PYTEST_ARGS="-n 2"`.
PYTEST_ARGS ?=
# Coverage runs the rules as plain Python, so it runs only the tests of rules, cards and observations: others play many games.
COVERAGE_TESTS ?= $(wildcard tests/games/*/rules) tests/properties/test_every_game.py tests/oracles

# Environments of their own, because versions clash: .venv-NAME has what INSTALL_NAME says, and `make NAME` tests with it.
ADAPTERS := mcp openenv textarena verifiers
$(foreach each,$(ADAPTERS),$(eval INSTALL_$(each) := --editable ".[compile,play,$(each)]" --group pytest))
# RLlib needs an older Gymnasium. The oldest supported PettingZoo is there too, and the tests of the environments.
INSTALL_rllib := --constraint .venv-rllib/constraints.txt --constraint constraints-rllib.txt \
  --editable ".[compile,learned,render]" --group rllib --group pytest
RLLIB_TESTS := docs/test_libraries.py $(addprefix envs/test_,aec.py versus.py) package/test_registry.py
# d3rlpy pins an older Gymnasium. This environment adds to that of development, which has everything else.
INSTALL_libraries := --constraint .venv-libraries/constraints.txt --constraint constraints-libraries.txt --group offline
SITE := python -c 'import sysconfig; print(sysconfig.get_path("purelib"))'
BEFORE_libraries := $(dir $(RUN))$(SITE) > "$$(.venv-libraries/bin/$(SITE))/development.pth"
INSTALL_release := --constraint constraints.txt --editable . --group release

.PHONY: help environment setup demo play test lint format bench data site release programs test-long notebooks coverage rllib-setup \
  rllib libraries adapters build clean

help:
	@echo "make demo      play greedy and random agents against each other and print the results"
	@echo "make play      open the table in the browser (PLAY_ARGS=\"--seats person expert\")"
	@echo "make test      set up, then linters, types, import contracts and tests"
	@echo "make lint      linters, types and import contracts alone; make format fixes what can be fixed automatically"
	@echo "make setup     install what development needs"
	@echo "make bench     measure this package (benchmarks/peers has a script for each other library)"
	@echo "make data      rewrite the data of the package that follow from other files"
	@echo "make site      build the site of the documentation into build/site"
	@echo "make programs  run what the documentation shows (programs, commands, notebooks), and tests that need other processes (a browser, a Ray cluster)"
	@echo "make test-long run the long tests too: oracles, fuzzes and browsers at full length"
	@echo "make release   build the distributions and check them in clean environments"
	@echo "make notebooks execute the notebooks and save them (NOTEBOOKS=name for one)"
	@echo "make coverage  measure coverage of the rules, as plain Python"
	@echo "make rllib     install Ray RLlib into .venv-rllib and run its program and tests (2 GB)"
	@echo "make libraries install libraries whose versions clash into .venv-libraries and run their programs"
	@echo "make adapters  install the libraries for language models, each into an environment of its own, and test with them (2 GB)"
	@echo "make build     build the games' libraries, on all cores"
	@echo "make clean     remove what these commands made"

demo: $(VENV)/.installed-demo
	@$(RUN) -m chocofactory_env.arena match --agents greedy random --deals 100

play: $(VENV)/.installed-play
	@$(RUN) -m chocofactory_env.play $(PLAY_ARGS)

# What installs at the same time as something else needs it to be there before.
environment: $(RUN)

setup: $(VENV)/.installed-dev

lint: setup
	$(RUN) -m ruff check
	$(RUN) -m ruff format --check --quiet
	$(RUN) -m tools.tree mypy
	$(RUN) -m tools.tree lint-imports

# All cores build the libraries first, and say how far they are. If one does not compile, a test will say so, too.
# pytest comes last: its summary is the closing line.
test: lint
	-@$(RUN) -m chocofactory_env.build
	@$(RUN) -m pytest -m "not programs" $(PYTEST_ARGS)

# Tests that start processes of their own: few and long.
programs: setup
	@$(RUN) -m pytest -m programs $(PYTEST_ARGS)

test-long: setup
	@CF_LONG=1 $(RUN) -m pytest -m long $(PYTEST_ARGS)

format: setup
	$(RUN) -m ruff check --fix
	$(RUN) -m ruff format

bench: setup
	@$(RUN) -m benchmarks $(BENCH_ARGS)

data: setup
	$(RUN) -m tools.data

# Warnings are errors.
site: setup
	$(RUN) -m tools.pages
	$(RUN) -m tools.tree
	$(VENV)/bin/zensical build --clean --strict

# What builds and checks distributions has an environment of its own: it needs nothing of development.
release: .venv-release/.installed
	@.venv-release/bin/python -m tools.release

coverage: setup
	CHOCOFACTORY_RULES=python $(RUN) -m coverage run -m pytest -m "not slow" $(PYTEST_ARGS) $(COVERAGE_TESTS)
	$(RUN) -m coverage report

notebooks: setup
	@$(RUN) -m tools.notebooks $(NOTEBOOKS)

rllib-setup: .venv-rllib/.installed

# Warnings of other libraries are no errors in these three.
rllib: .venv-rllib/.installed
	OMP_NUM_THREADS=1 .venv-rllib/bin/python -m pytest -W default -k "not test_libraries or rllib" $(addprefix tests/,$(RLLIB_TESTS))

libraries: .venv-libraries/.installed
	OMP_NUM_THREADS=1 .venv-libraries/bin/python -m pytest -W default tests/docs/test_libraries.py -k d3rlpy

adapters: $(ADAPTERS:%=.venv-%/.installed)
	@set -e; for each in $(ADAPTERS); do .venv-$$each/bin/python -m pytest -W default tests/adapters/test_$$each.py; done

build: setup
	@$(RUN) -m chocofactory_env.build

clean:
	rm -rf .cache .venv .venv-* .coverage .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The demonstration needs no torch, so its set-up is quick. A full installation covers it.
$(VENV)/.installed-demo: pyproject.toml constraints.txt | $(RUN)
	@echo "Installing what the demonstration needs into $(VENV) ..."
	@$(INSTALL) --editable ".[compile]" --group arena
	@touch $@

$(VENV)/.installed-play: pyproject.toml constraints.txt | $(RUN)
	@echo "Installing what the table in the browser needs into $(VENV) ..."
	@$(INSTALL) --editable ".[compile,play]"
	@touch $@

$(VENV)/.installed-dev: pyproject.toml constraints.txt | $(RUN)
	@echo "Installing what development needs into $(VENV) (this includes torch) ..."
	@$(INSTALL) --editable ".[compile,learned,play,render]" --group dev
	@touch $@ $(VENV)/.installed-demo $(VENV)/.installed-play

.venv-libraries/.installed: | setup
# Other versions than those of constraints.txt are in the other constraints files.
.venv-%/.installed: pyproject.toml $(wildcard constraints*.txt) | $(RUN)
	@echo "Installing $* into .venv-$* ..."
	@$(RUN) -m venv --clear .venv-$*
	@$(BEFORE_$*)
	@grep -vE '^(gymnasium|pettingzoo)==' constraints.txt > .venv-$*/constraints.txt
	@.venv-$*/bin/python $(PIP_INSTALL) "$(PIP)"
	@.venv-$*/bin/python $(PIP_INSTALL) $(INSTALL_$*)
	@touch $@

# Also checks an environment that is already there: its Python, and that its pip knows dependency groups.
$(RUN): FORCE
	@test -x $(RUN) || command -v "$(PYTHON)" >/dev/null || { \
	  echo "chocofactory_env needs Python 3.11 or newer, and there is no '$(PYTHON)'." >&2; \
	  echo "Name one: make demo PYTHON=/path/to/python3" >&2; exit 1; }
	@python="$(RUN)"; test -x "$$python" || python="$(PYTHON)"; \
	"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "chocofactory_env needs Python 3.11 or newer; $$python is $$("$$python" --version 2>&1)." >&2; \
	  echo "Name another: make demo PYTHON=/path/to/python3 (and leave or remove the environment in $(VENV))" >&2; exit 1; }
	@test -x $(RUN) || "$(PYTHON)" -m venv $(VENV) || { \
	  rm -rf $(VENV); \
	  echo "Python could not make a virtual environment; on Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@$(RUN) -m pip --version >/dev/null 2>&1 || $(RUN) -m ensurepip --upgrade >/dev/null
	@$(RUN) -m pip install --help | grep -q -e --group || $(RUN) $(PIP_INSTALL) "$(PIP)"

FORCE:
