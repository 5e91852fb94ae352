#pragma once
#include <optional>
#include <string>

#include "id3v2_frames.hpp"
#include "regular_file.hpp"
#include "tag_contents.hpp"

namespace ctaglib {

/// Reads the consecutive ID3v2 tags (2.2, 2.3, 2.4) at the start of a file.
void readID3v2(const RegularFile &file, TagContents &contents);

/// The editable content of a frame.
struct FrameSubject {
    std::optional<ctaglib_field> field = std::nullopt;
    /// Whether readers use it only if there is no better frame: it is kept when the field is set.
    bool isFallback = false;
    /// ID3v2 picture type.
    std::optional<int> pictureType = std::nullopt;
    /// Language of a comment.
    std::string language = {};
};

/// Returns the editable content of a frame. Nothing malicious in it is unpacked.
FrameSubject subjectOf(const FrameExtent &extent, const ByteVector &bytes, const ID3v2::Header &header);

}  // namespace ctaglib
