#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "include/ctaglib.h"
#include "regular_file.hpp"

namespace ctaglib {

/// A chunk of a RIFF or an IFF file: a name, a size, content and a byte of padding after an odd size.
struct Chunk {
    std::string name;
    /// Offset of its header.
    uint64_t start;
    /// Size of its content as stated.
    uint64_t size;
    /// Offset after it and its padding, at most the size of the file.
    uint64_t end;

    uint64_t content() const { return start + 8; }
    /// Whether it is named "id3 " in any case.
    bool isID3v2() const;
};

/// The chunks of a WAV (RIFF, RF64, BW64) or an AIFF file.
struct ChunkLayout {
    ctaglib_container container;
    std::vector<Chunk> chunks;
    /// Index of the chunk with the samples.
    std::optional<size_t> sound;
    /// Whether all sizes are known and lead to the end of the file.
    bool isComplete = false;

    bool isBigEndian() const { return container == CTAGLIB_AIFF; }
};

/// Returns the chunks of a WAV or an AIFF file; nothing for other files, also for a WAV file that contains MP3 frames, which has the
/// tags of an MP3 file.
std::optional<ChunkLayout> findChunks(const RegularFile &file);

/// Returns a number of 32 bits as bytes.
std::string numberBytes(uint64_t value, bool isBigEndian);

/// Returns a number of 32 bits at an index; 0 where the bytes end.
uint32_t numberAt(const std::string &bytes, size_t index, bool isBigEndian);

}  // namespace ctaglib
