#pragma once
#include <stddef.h>

// System calls that the C library shows to GNU sources only.

#ifdef __cplusplus
extern "C" {
#endif

/// Appends a run of one file's bytes to another, in the kernel where it can (copy_file_range(2), which shares the
/// blocks where the file system can, then sendfile(2)). Returns 0, or -1 with errno; ENODATA where the file ends
/// too early.
int file_copy_run(int from, size_t start, size_t count, int to);

/// Copies the extended attributes, access control lists among them. Those that the other file cannot have are left
/// out. Returns 0, or -1 with errno.
int file_copy_attributes(int from, int to);

#ifdef __cplusplus
}
#endif
