#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "regular_file.hpp"

namespace ctaglib {

/// Types of metadata blocks (RFC 9639 §8.1).
enum class FLACBlockType { streamInfo = 0, padding = 1, vorbisComment = 4, picture = 6, forbidden = 127 };

constexpr size_t blockHeaderSize = 4;
/// RFC 9639 §8.1: 24 bits.
constexpr size_t maximumBlockSize = (1u << 24) - 1;
/// A file may state any number of blocks.
constexpr int maximumBlocks = 1'000;
/// RFC 9639 §8.8.
constexpr uint32_t frontCover = 3;

/// Location of a metadata block.
struct FLACBlock {
    int type;
    bool isLast;
    /// Offset of the content, after the header.
    uint64_t start;
    size_t size;

    bool is(FLACBlockType other) const { return type == static_cast<int>(other); }
    uint64_t end() const { return start + size; }
};

/// Returns the offset of the first metadata block of a FLAC file, perhaps after ID3v2 tags; nothing for other files.
std::optional<uint64_t> findFLAC(const RegularFile &file);

/// Returns the block whose header is at a position; nothing at the end of the file. Its content may be truncated.
std::optional<FLACBlock> blockAt(const RegularFile &file, uint64_t position);

/// Returns a number of 32 bits, big-endian.
uint32_t bigEndian(const std::string &bytes, size_t index);

}  // namespace ctaglib
