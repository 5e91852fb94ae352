#include "regular_file.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ctaglib {

RegularFile::RegularFile(const char *path) {
    descriptor_ = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor_ < 0) throw FileFailure{CTAGLIB_CANNOT_OPEN, errno};
    examine();
}

RegularFile::RegularFile(int descriptor) {
    descriptor_ = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    if (descriptor_ < 0) throw FileFailure{CTAGLIB_CANNOT_OPEN, errno};
    examine();
}

RegularFile::RegularFile(const RegularFile &whole, uint64_t offset, uint64_t size)
    : size_(std::min(size, whole.size_ - std::min(offset, whole.size_))), base_(whole.base_ + offset) {
    descriptor_ = fcntl(whole.descriptor_, F_DUPFD_CLOEXEC, 0);
    if (descriptor_ < 0) throw FileFailure{CTAGLIB_CANNOT_OPEN, errno};
}

void RegularFile::examine() {
    struct stat state;
    if (fstat(descriptor_, &state) != 0) {
        const int error = errno;
        close(descriptor_);
        throw FileFailure{CTAGLIB_CANNOT_OPEN, error};
    }
    if (!S_ISREG(state.st_mode)) {
        close(descriptor_);
        throw FileFailure{CTAGLIB_NOT_A_REGULAR_FILE, 0};
    }
    size_ = static_cast<uint64_t>(state.st_size);
}

RegularFile::~RegularFile() { close(descriptor_); }

std::string RegularFile::read(uint64_t offset, size_t count) const {
    if (offset >= size_) return {};
    std::string bytes(static_cast<size_t>(std::min<uint64_t>(count, size_ - offset)), '\0');
    size_t filled = 0;
    while (filled < bytes.size()) {
        const ssize_t got =
            pread(descriptor_, &bytes[filled], bytes.size() - filled, static_cast<off_t>(base_ + offset + filled));
        if (got < 0) {
            if (errno == EINTR) continue;
            throw FileFailure{CTAGLIB_READ_FAILED, errno};
        }
        if (got == 0) break;  // The file was truncated.
        filled += static_cast<size_t>(got);
    }
    bytes.resize(filled);
    return bytes;
}

}  // namespace ctaglib
