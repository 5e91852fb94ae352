#pragma once
#include <stddef.h>

// System calls that the C library declares for GNU sources only.

#ifdef __cplusplus
extern "C" {
#endif

/// Appends a range of one file's bytes to another, in the kernel if possible (copy_file_range(2), which shares the blocks if
/// the file system supports it, then sendfile(2)). Returns 0, or -1 with errno; ENODATA if the file ends too early.
int file_copy_run(int from, size_t start, size_t count, int to);

/// Copies extended attributes, including access control lists. Attributes that the target does not support are skipped. Returns
/// 0, or -1 with errno.
int file_copy_attributes(int from, int to);

/// Moves a file to another name in a folder of the same file system, unless the name exists (renameat2(2), or link and unlink
/// if the file system does not support it). Returns 0, or -1 with errno: EEXIST if the name exists, EXDEV if the folder is on
/// another file system.
int file_move_to_free_name(int from_folder, const char *from, int to_folder, const char *to);

/// Returns whether an open folder is the root of a mounted file system: 1 or 0, or -1 with errno. Bind mounts are detected from
/// Linux 5.8 on (statx(2), STATX_ATTR_MOUNT_ROOT); otherwise the parent folder must be on another device.
int file_is_mount_root(int folder);

#ifdef __cplusplus
}
#endif
