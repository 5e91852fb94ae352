#pragma once
#include <sys/types.h>

/// Starts a program in a process group of its own, with nothing to read and both outputs in one pipe. It is killed when
/// the thread that starts it ends, however that comes about.
///
/// path: the program's file. arguments, environment: as for execve, with a closing NULL. output: is set to the end of
/// the pipe that is to be read, and in the end closed.
/// Returns the process's number, or the negative number of an error.
pid_t child_program_start(
    const char *path, char *const arguments[], char *const environment[], int *output);
