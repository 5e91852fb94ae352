#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "regular_file.hpp"
#include "vorbis_comments.hpp"

namespace ctaglib {

/// The comments of an Ogg file with Opus or Vorbis: the packets that share pages with them, and those pages.
struct OggComments {
    CommentDialect dialect;
    /// The comments, and in Vorbis the setup header; the latter is missing if only comments were asked for.
    std::vector<std::string> packets;
    /// Offset of the first page with comments, and the end of the page on which the last packet ends.
    uint64_t start = 0;
    uint64_t end = 0;
    uint32_t serial = 0;
    /// Number of the first of these pages in their stream.
    uint32_t firstSequence = 0;
    size_t pageCount = 0;
    /// Whether other bytes lie between these pages, or audio starts on the last one.
    bool isShared = false;

    /// Size of the signature in front of the comments.
    size_t prefixSize() const { return dialect == CommentDialect::opus ? 8 : 7; }
};

/// Returns the offset of the first page of an Ogg file, perhaps after ID3v2 tags; nothing for other files.
std::optional<uint64_t> findOgg(const RegularFile &file);

/// Reads the comments of the first Opus or Vorbis stream. Pages with wrong checksums, and what follows them, are not read.
/// Returns nothing for other files, and without complete comments. Throws FileFailure.
/// - withSetup: whether to read up to the audio.
std::optional<OggComments> readOggComments(const RegularFile &file, bool withSetup);

/// Returns pages with packets, which start and end with them.
/// - pageCount: the number of pages to write if the packets fit; they have at least as many segments.
std::vector<std::string> oggPages(
    const std::vector<std::string> &packets, size_t pageCount, uint32_t serial, uint32_t firstSequence);

/// Returns the number of segments of a packet.
size_t segmentCount(const std::string &packet);

}  // namespace ctaglib
