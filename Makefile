# The commands of this project. `make` lists them.

MUSIC ?=
# The demo library has its own data folder: a data folder belongs to one music folder.
DATA ?= $(if $(MUSIC),./data,./data/demo-data)
# Passed in the environment, so that the scripts get names with spaces and quotes unchanged.
export MUSIC DATA
PREFIX ?= /usr/local
DESTDIR ?=
PROGRAMS ?=
export PREFIX DESTDIR PROGRAMS

.DEFAULT_GOAL := help
.PHONY: help run install test bench bench-quick demo format check check-clients deb dist image check-release clean

help:
	@printf 'make run [MUSIC=/path/to/music] [DATA=./data, demo ./data/demo-data]\n'
	@printf '                   install what is missing, build, analyse the library, show a track, start the host\n'
	@printf '                   (without MUSIC: make and use a demo library; SERVE=no: do not start the host)\n'
	@printf 'make install [PREFIX=/usr/local] [DESTDIR=]\n'
	@printf '                   build for release, install the programs, the web player, manual pages and completions;\n'
	@printf '                   PROGRAMS=FOLDER uses programs that are already built (also with deb, dist, image, check-release)\n'
	@printf 'make test          install what is missing, run all tests\n'
	@printf 'make bench         compare with other tools on real music (downloads it first; about an hour)\n'
	@printf 'make bench-quick   the same with a few files (minutes)\n'
	@printf 'make demo          make the demo library in data/demo\n'
	@printf 'make format        format the Swift sources and the web player\n'
	@printf 'make check         check the format, build for release, run all tests: required for every change\n'
	@printf 'make check-clients drive Mopidy and Strawberry, compare with supysonic (installs them; as root)\n'
	@printf 'make deb           build the Debian package in dist\n'
	@printf 'make dist          build the tarball in dist, with checksums\n'
	@printf 'make image         build the container image in dist, without a daemon (as root)\n'
	@printf 'make check-release build package and tarball, install and try them in a fresh Debian (as root; minutes)\n'
	@printf 'make clean         remove everything that was built and made, except databases\n'

run:
	@scripts/run

install:
	@scripts/install

test:
	@scripts/test

bench:
	@Benchmarks/pass/run

bench-quick:
	@Benchmarks/pass/run --quick

demo:
	@scripts/bootstrap --demo
	@data/make-demo-library data/demo

format:
	@swift format --in-place --recursive --parallel Package.swift Sources Tests
	@scripts/check-page --fix

check:
	@scripts/check

check-clients:
	@scripts/check-clients

deb:
	@scripts/bootstrap --package
	@deploy/make-package

dist:
	@scripts/bootstrap --package
	@deploy/make-tarball

image:
	@scripts/bootstrap --package
	@deploy/make-image

check-release:
	@deploy/check-release

clean:
	@rm -rf .build dist data/demo data/demo-data Benchmarks/.cache
