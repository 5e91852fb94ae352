#pragma once
#include <sys/types.h>

/// Starts a program, found along PATH, in a process group of its own, with just these descriptors as its first three.
///
/// arguments: as for execve, with a closing NULL. directory: where it runs; NULL takes this process's own.
/// Returns the process's number, or the negative number of an error.
pid_t spawn_child(char *const arguments[], const char *directory, int input, int output, int errors);
