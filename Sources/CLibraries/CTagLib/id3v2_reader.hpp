#pragma once
#include <optional>
#include <string>

#include "id3v2_frames.hpp"
#include "regular_file.hpp"
#include "tag_contents.hpp"

namespace ctaglib {

/// Reads the ID3v2 tags (2.2, 2.3, 2.4) that stand one after the other at the beginning of a file.
void readID3v2(const RegularFile &file, TagContents &contents);

/// What a frame speaks of, as far as it can be edited.
struct FrameSubject {
    std::optional<ctaglib_field> field = std::nullopt;
    /// Whether readers turn to it only if no better frame is there: it stays when the field is set.
    bool isFallback = false;
    /// ID3v2's number of the picture's type.
    std::optional<int> pictureType = std::nullopt;
    /// Of a comment.
    std::string language = {};
};

/// Tells what a frame that a walk has found speaks of. Nothing hostile in it is unpacked.
FrameSubject subjectOf(const FrameExtent &extent, const ByteVector &bytes, const ID3v2::Header &header);

}  // namespace ctaglib
