#pragma once
#include <vector>

#include "id3v2_lyrics.hpp"
#include "regular_file.hpp"
#include "tag_contents.hpp"

namespace ctaglib {

/// Reads the Vorbis comments and the pictures of a FLAC file; nothing of other files.
void readFLAC(const RegularFile &file, TagContents &contents);

/// Returns the comments with lyrics of a FLAC file in order; none for other files. Throws FileFailure.
std::vector<LyricsFrame> readFLACLyrics(const RegularFile &file);

}  // namespace ctaglib
