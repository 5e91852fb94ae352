#pragma once
#include <cstdint>
#include <string>

#include "include/ctaglib.h"

namespace ctaglib {

/// A system error with the information needed to report it.
struct FileFailure {
    ctaglib_status status;
    int systemError;
};

/// An open regular file, read by position. Closed when it goes out of scope.
class RegularFile {
public:
    /// Throws FileFailure. Never blocks, not even on a FIFO.
    explicit RegularFile(const char *path);
    /// Duplicates an open descriptor. Throws FileFailure.
    explicit RegularFile(int descriptor);
    /// A part of another file, which may end before the part does. Throws FileFailure.
    RegularFile(const RegularFile &whole, uint64_t offset, uint64_t size);
    ~RegularFile();
    RegularFile(const RegularFile &) = delete;
    RegularFile &operator=(const RegularFile &) = delete;

    uint64_t size() const { return size_; }

    /// Returns the bytes at a position, fewer at the end of the file. Throws FileFailure.
    std::string read(uint64_t offset, size_t count) const;

private:
    void examine();

    int descriptor_;
    uint64_t size_;
    /// Offset of the first byte in the file.
    uint64_t base_ = 0;
};

}  // namespace ctaglib
