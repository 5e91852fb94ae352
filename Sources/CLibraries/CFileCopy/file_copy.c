#define _GNU_SOURCE
#include "include/file_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/xattr.h>
#include <unistd.h>

int file_copy_run(int from, size_t start, size_t count, int to) {
    off_t offset = (off_t)start;
    int by_range = 1;
    while (count > 0) {
        // Linux copies at most 2 GiB minus one page at a time.
        const size_t part = count < ((size_t)1 << 30) ? count : (size_t)1 << 30;
        const ssize_t copied =
            by_range ? copy_file_range(from, &offset, to, NULL, part, 0) : sendfile(to, from, &offset, part);
        if (copied > 0) {
            count -= (size_t)copied;
        } else if (by_range) {
            // Old kernels and some network file systems return an error, or copy nothing without an error.
            if (copied < 0 && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG || errno == EIO)) return -1;
            if (copied < 0 && errno == EINTR) continue;
            by_range = 0;
        } else if (copied == 0) {
            errno = ENODATA;
            return -1;
        } else if (errno != EINTR && errno != EAGAIN) {
            return -1;
        }
    }
    return 0;
}

int file_copy_attributes(int from, int to) {
    char names[65536];
    const ssize_t size = flistxattr(from, names, sizeof names);
    if (size < 0) return errno == ENOTSUP ? 0 : -1;
    char *value = malloc(65536);
    if (value == NULL) return -1;
    int result = 0;
    for (const char *name = names; result == 0 && name < names + size; name += strlen(name) + 1) {
        const ssize_t count = fgetxattr(from, name, value, 65536);
        if (count < 0 || fsetxattr(to, name, value, (size_t)count, 0) == 0) continue;
        if (errno == ENOSPC || errno == EDQUOT || errno == EIO) result = -1;
    }
    const int error = errno;
    free(value);
    errno = error;
    return result;
}

int file_move_to_free_name(int from_folder, const char *from, int to_folder, const char *to) {
    if (renameat2(from_folder, from, to_folder, to, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return -1;
    if (linkat(from_folder, from, to_folder, to, 0) != 0) return -1;
    // Both names refer to the complete file: being killed in between loses nothing.
    return unlinkat(from_folder, from, 0);
}

int file_is_mount_root(int folder) {
    struct statx own;
    // The mask may be empty: attributes are always returned.
    if (statx(folder, "", AT_EMPTY_PATH, 0, &own) == 0) {
        // STATX_ATTR_MOUNT_ROOT, which older headers do not define.
        const unsigned long long mount_root = 0x2000;
        if (own.stx_attributes_mask & own.stx_attributes & mount_root) return 1;
    }
    struct stat inside, above;
    if (fstat(folder, &inside) != 0 || fstatat(folder, "..", &above, 0) != 0) return -1;
    return inside.st_dev != above.st_dev;
}
