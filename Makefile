# The commands of this project; `make` alone lists them.

MUSIC ?=
DATA ?= ./data
# Handed over in the environment, so that names with spaces and quotes reach the programs as they are.
export MUSIC DATA
PREFIX ?= /usr/local
DESTDIR ?=
PROGRAMS ?=
export PREFIX DESTDIR PROGRAMS

.DEFAULT_GOAL := help
.PHONY: help run install test bench bench-quick demo format check clean

help:
	@printf 'make run [MUSIC=/path/to/music] [DATA=./data]\n'
	@printf '                   install what is missing, build, analyse the library, show a track, start the host\n'
	@printf '                   (without MUSIC: a demo library, made first; SERVE=no: without the host)\n'
	@printf 'make install [PREFIX=/usr/local] [DESTDIR=]\n'
	@printf '                   build for release, install the programs and the web player; PROGRAMS=FOLDER takes built ones\n'
	@printf 'make test          install what is missing, run all tests\n'
	@printf 'make bench         compare with other tools on real music (downloads it first; an hour or so)\n'
	@printf 'make bench-quick   the same on a few files (minutes)\n'
	@printf 'make demo          make the demo library in data/demo\n'
	@printf 'make format        format the Swift sources\n'
	@printf 'make check         format lint, release build, tests: what a change must pass\n'
	@printf 'make clean         remove what was built and made, save the databases\n'

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

check:
	@scripts/check

clean:
	@rm -rf .build data/demo Benchmarks/.cache
