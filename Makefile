# Everything from a fresh machine: system packages, virtual environment, dependencies, incremental build, run.
VENV   := .venv
PY     := $(VENV)/bin/python
BUILD  := build
APT    := g++ make python3 python3-venv python3-dev ca-certificates
JOBS   ?= $(shell nproc)

.DEFAULT_GOAL := help
.PHONY: help demo test build system lit pytest docs wheel clean

help:  ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):[^#]*## */  make \1\t/' | expand -t 16

demo: build  ## compile BERT once, run it at 24 shapes beside eager PyTorch
	$(PY) examples/demo.py

test: build  ## build, then run every test
	$(VENV)/bin/lit -q test/lit
	$(PY) -m pytest -q -rs test

lit: build  ## only the FileCheck tests
	$(VENV)/bin/lit -v test/lit

pytest: build  ## only the Python tests
	$(PY) -m pytest -q -rs test

build: $(VENV)/.ready  ## incremental build of the native parts
	$(VENV)/bin/cmake --build $(BUILD) -j $(JOBS)

docs: build  ## regenerate the generated pages of docs/
	$(PY) -m disc_dsl docs

wheel: $(VENV)/.ready  ## a wheel with one copy of MLIR, in dist/
	rm -rf dist
	$(PY) -m pip wheel --no-build-isolation --no-deps -w dist .

# The environment is made anew whenever pyproject.toml changes; what is already installed is kept.
$(VENV)/.ready: pyproject.toml CMakeLists.txt | system
	test -x $(PY) || python3 -m venv $(VENV)
	$(PY) -m pip install -q "pip>=23.2"
	$(PY) tools/requirements.py build test > $(VENV)/requirements.txt
	$(PY) -m pip install -q -r $(VENV)/requirements.txt
	$(VENV)/bin/cmake -S . -B $(BUILD) -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(VENV)/bin/ninja \
	  -DCMAKE_BUILD_TYPE=Release -DPython3_EXECUTABLE=$(CURDIR)/$(PY)
	$(PY) tools/requirements.py develop
	touch $@

# System packages: installed with apt where that is allowed, else the line to run is printed.
system:
	@missing=""; for tool in g++ python3; do command -v $$tool >/dev/null || missing="$$missing $$tool"; done; \
	python3 -c 'import ensurepip, sysconfig, os, sys; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' \
	  2>/dev/null || missing="$$missing python3-dev"; \
	if [ -n "$$missing" ]; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $(APT); \
	  else echo "missing:$$missing; run: sudo apt-get install -y --no-install-recommends $(APT)"; exit 1; fi; fi

clean:  ## remove the build (not the environment)
	rm -rf $(BUILD) $(VENV)/.ready
