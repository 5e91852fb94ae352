#include "build_commit.h"

// Package.swift defines BUILD_COMMIT for this file only, so that a new commit recompiles no other C file.
const char *build_commit(void) { return BUILD_COMMIT; }
