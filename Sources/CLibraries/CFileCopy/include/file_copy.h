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

/// Gives a file another name, in a folder of the same file system, unless something has that name already
/// (renameat2(2), or link and unlink where the file system does not know it). Returns 0, or -1 with errno: EEXIST where the
/// name is taken, EXDEV where the folder is on another file system.
int file_move_to_free_name(int from_folder, const char *from, int to_folder, const char *to);

#ifdef __cplusplus
}
#endif
