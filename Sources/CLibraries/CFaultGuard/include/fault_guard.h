#pragma once
#include <stdbool.h>
#include <stddef.h>

// A mapped file that is cut short while it is read raises SIGBUS, which would end the program. A guarded region reads
// as zeros from the missing page on instead, and remembers that it did.

// Guards [base, base + length). Returns a slot number, or -1 when all slots are taken.
int fault_guard_add(const void *base, size_t length);

// Whether the region was touched beyond the end of its file, or where the disk could not be read.
bool fault_guard_faulted(int slot);

// Ends the guard.
void fault_guard_remove(int slot);
