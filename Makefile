# SPDX-License-Identifier: MIT
# A thin front over CMake. `make help` lists what it does.
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 20
TORTURE_COUNT ?= 2000
WEB_PORT ?= 8000
JOBS := $(shell nproc 2>/dev/null || echo 2)
MAKEFLAGS += --no-print-directory

# Ways to build and test; each has a preset of its name, and its folder.
variants := asan tsan scalar core-only clang
# Other systems; what is built for them runs in an emulator.
systems := windows arm

.PHONY: help deps build demo test bench $(variants) $(systems) wasm three web web-serve test-web fuzz torture install format clean \
        python test-python blender test-blender test-blender4 godot test-godot deb test-deb test-farm site

help:
	@echo 'make demo      build, deform a built-in character with every method, show where results are'
	@echo 'make test      build and run all tests'
	@echo 'make deps      install the Debian packages that a build needs and the machine misses'
	@echo 'make build     build only, and install no packages: build/pelt, build/pelt-view, build/libpelt*'
	@echo 'make bench     build and measure: pelt bench'
	@echo 'make asan      tests under AddressSanitizer and UndefinedBehaviorSanitizer'
	@echo 'make tsan      tests under ThreadSanitizer'
	@echo 'make scalar    tests without vector instructions'
	@echo 'make core-only the core library and its tests alone, without dependencies'
	@echo 'make clang     tests with clang instead of gcc'
	@echo 'make windows   the core and the glTF reader by mingw-w64, tests under wine'
	@echo 'make arm       the same for 64-bit ARM, tests under qemu'
	@echo 'make wasm      the npm package pelt, WebAssembly for browsers and node: build-wasm'
	@echo 'make three     the npm package pelt-three, for three.js: build-wasm'
	@echo 'make web       the page on which one drops a character: build-web'
	@echo 'make web-serve shows it at http://127.0.0.1:WEB_PORT=$(WEB_PORT)'
	@echo 'make test-web  tests of all three in node and Chromium'
	@echo 'make fuzz      each fuzz target for FUZZ_SECONDS=$(FUZZ_SECONDS), or FUZZ_RUNS=N runs'
	@echo 'make torture   TORTURE_COUNT=$(TORTURE_COUNT) damaged models through pelt'
	@echo 'make python    the wheel of the Python package, in build/python'
	@echo 'make test-python   install it into a folder of its own and test it'
	@echo 'make blender   the add-on for Blender, in build/blender'
	@echo 'make test-blender  tests of it in Blender 3.4'
	@echo 'make test-blender4 in Blender 4.3, in a root folder of its own: build-roots'
	@echo 'make godot     the add-on for Godot 4, in build/godot'
	@echo 'make test-godot    tests of it in Godot 4.6, in a root folder of its own: build-roots'
	@echo 'make deb       Debian packages, in build-deb'
	@echo 'make test-deb  the same, checked by lintian and in a clean Debian'
	@echo 'make test-farm pelt batch under GNU parallel, Snakemake and Slurm'
	@echo 'make site      the manual as static pages, in build-site; with the page of make web if it is there'
	@echo 'make install   to PREFIX=$(PREFIX)'
	@echo 'make format    clang-format over all sources'
	@echo 'make clean     remove build folders'
	@echo 'demo, and all that run tests, begin with the packages that they miss (tools/setup).'

# compile PRESET FOLDER: packages that are missing are named in place of errors of CMake.
define compile
	@echo cmake --preset $(1)
	@cmake --preset $(1) > $(2).log 2>&1 || \
	    { tools/setup --missing $(or $(filter core-only,$(1)),build) || cat $(2).log; \
	      rm -f $(2).log; exit 1; }
	@rm -f $(2).log
	cmake --build $(2) -j $(JOBS)
endef

deps:
	@tools/setup build

build:
	$(call compile,release,build)

demo: deps
	$(call compile,release,build)
	build/pelt demo -o pelt-demo

test:
	@tools/setup test
	$(call compile,release,build)
	@tools/run_tests build $(JOBS)

bench: build
	build/pelt bench

$(variants):
	@tools/setup $(or $(filter core-only clang,$@),test)
	$(call compile,$@,build-$@)
	@tools/run_tests build-$@ $(JOBS)

$(systems):
	@tools/setup $@
	$(call compile,$@,build-$@)
	@tools/run_tests build-$@ $(JOBS)

wasm:
	@tools/setup wasm
	@bindings/wasm/build $(CURDIR)/build-wasm $(JOBS)

three:
	@tools/setup web
	$(call compile,release,build)
	@$(MAKE) wasm
	@bindings/three/build build/pelt $(CURDIR)/build-wasm

web: three
	@web/build build/pelt build-wasm build-web

# Loopback only: nothing else can reach it.
web-serve:
	@test -d build-web || $(MAKE) web
	@echo 'http://127.0.0.1:$(WEB_PORT)'
	@python3 -m http.server --bind 127.0.0.1 --directory build-web $(WEB_PORT)

test-web: web
	@tests/wasm/run_tests build/pelt build-wasm build-web

fuzz:
	@tools/setup fuzz
	$(call compile,fuzz,build-fuzz)
	@tools/fuzz build-fuzz $(FUZZ_SECONDS)

torture: build
	@tools/setup test
	tools/torture --count $(TORTURE_COUNT)

# Debian's own Python, for which Debian has numpy.
PYTHON ?= $(firstword $(wildcard /usr/bin/python3) python3)

python: deps
	$(call compile,release,build)
	@cmake --build build -j $(JOBS) --target pelt_python
	@$(PYTHON) bindings/python/backend/pelt_wheel.py build build/python

test-python:
	@tools/setup python
	@$(MAKE) python
	@bindings/python/tests/run.sh build $(PYTHON)

blender:
	@tools/setup addon
	@cmake --preset blender > /dev/null
	cmake --build build-blender -j $(JOBS) --target pelt_python
	@$(PYTHON) bindings/blender/make_zip.py build-blender/libpelt_python.so build-blender

XVFB := xvfb-run -a -s "-screen 0 1280x900x24"

test-blender: blender
	@tools/setup blender
	@$(XVFB) bindings/blender/tests/run.sh build-blender

# The newest Blender of Debian, in a root folder of its own, which is kept.
test-blender4: blender
	@tools/setup xvfb
	@tools/debian_root trixie blender python3-numpy libegl1 libgl1-mesa-dri
	@$(XVFB) bindings/blender/tests/run.sh build-blender build-roots/trixie

godot:
	@rm -rf build/godot && mkdir -p build/godot/addons
	@cp -R bindings/godot/addons/pelt build/godot/addons
	@cp gl/generated/godot/*.gdshaderinc build/godot/addons/pelt

test-godot: build godot
	@tools/debian_root forky godot libgl1-mesa-dri xvfb xauth libgl1 libegl1
	@bindings/godot/tests/run.sh build build-roots/forky

deb:
	@tools/setup deb
	@packaging/build_deb build-deb

test-deb:
	@tools/setup deb-test
	@packaging/test_deb build-deb

test-farm: build
	@tools/setup farm
	@tests/outside/farm_test.sh build/pelt

site:
	@tools/setup site
	@tools/site build-site build-web

install: build
	cmake --install build --prefix $(PREFIX)

format:
	git ls-files '*.c' '*.h' '*.cpp' | xargs clang-format -i

clean:
	rm -rf build build-* pelt-demo
