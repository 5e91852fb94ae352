#pragma once
#include <vector>

#include "id3v2_lyrics.hpp"
#include "regular_file.hpp"
#include "tag_contents.hpp"

namespace ctaglib {

/// Reads the tags of iTunes in an MP4 file; nothing of other files. Throws FileFailure.
void readMP4(const RegularFile &file, TagContents &contents);

/// Returns the lyrics of an MP4 file in order; none for other files. Throws FileFailure.
std::vector<LyricsFrame> readMP4Lyrics(const RegularFile &file);

}  // namespace ctaglib
