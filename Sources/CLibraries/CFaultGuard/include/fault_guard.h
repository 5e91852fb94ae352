#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A mapped file that is truncated while it is read raises SIGBUS, which would terminate the process. A guarded region instead
// reads as zeros from the missing page on, and records that it did.

// Guards [base, base + length). Returns a slot number, or -1 if all slots are in use.
int fault_guard_add(const void *base, size_t length);

// Whether the region was accessed beyond the end of its file, or where the disk could not be read.
bool fault_guard_faulted(int slot);

// Ends the guard.
void fault_guard_remove(int slot);

// A malicious file may crash a decoder. To identify the file afterwards, a thread registers what it is working on: if it
// crashes (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT), the value is written to a file before the process exits. Signals
// sent by other processes, and SIGKILL, write nothing.

// From now on a crash of this thread writes the value, which must not be 0, as 8 bytes at an offset of the file. Then the process
// runs this program again with the given arguments, which end with NULL, unless they are NULL.
void crash_mark_begin(int descriptor, int64_t offset, int64_t value, char *const *program);

// Ends the registration.
void crash_mark_end(void);
