#pragma once
#include <sys/types.h>

/// Starts a program in its own process group, with empty standard input and both outputs in one pipe. It is killed when the
/// thread that started it ends for any reason.
///
/// path: the executable. arguments, environment: as for execve, with a terminating NULL. output: receives the read end of the
/// pipe, which the caller must close. Returns the process ID, or a negative error number.
pid_t child_program_start(
    const char *path, char *const arguments[], char *const environment[], int *output);
