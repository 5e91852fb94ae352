#pragma once
#include <vector>

#include "id3v2_lyrics.hpp"
#include "regular_file.hpp"
#include "tag_contents.hpp"

namespace ctaglib {

/// Reads the comments of an Ogg file with Opus or Vorbis; nothing of other files.
void readOgg(const RegularFile &file, TagContents &contents);

/// Returns the comments with lyrics of an Ogg file in order; none for other files. Throws FileFailure.
std::vector<LyricsFrame> readOggLyrics(const RegularFile &file);

}  // namespace ctaglib
