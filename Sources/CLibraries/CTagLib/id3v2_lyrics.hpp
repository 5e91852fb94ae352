#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "id3v2_frames.hpp"
#include "include/ctaglib.h"
#include "regular_file.hpp"

namespace ctaglib {

/// Maximum size of all lyrics of a file; frames beyond are read as empty.
constexpr size_t maximumLyricsBytes = 4u << 20;

/// A lyrics frame or comment of a file.
struct LyricsFrame {
    ctaglib_lyrics_kind kind = CTAGLIB_LYRICS_USLT;
    /// The content without header or name; nullopt if it is encrypted, compressed or too large.
    std::optional<std::string> content;
};

/// A lyrics frame or comment to write: its content for ID3v2.4 and Vorbis comments, and for earlier versions of ID3v2.
struct NewLyricsFrame {
    ctaglib_lyrics_kind kind = CTAGLIB_LYRICS_USLT;
    std::string content;
    std::string olderContent;
};

/// Changes to the lyrics of a file.
struct LyricsEdits {
    /// By index among all lyrics, comments before frames; nullopt removes the lyrics.
    std::map<size_t, std::optional<NewLyricsFrame>> changed;
    std::vector<NewLyricsFrame> added;
};

/// Whether a frame with this ID contains lyrics, in any ID3v2 version.
bool isLyrics(const std::string &id);

/// Returns the ID of a lyrics frame in a version.
const char *lyricsFrameName(ctaglib_lyrics_kind kind, unsigned int version);

/// Returns the lyrics frames of all ID3v2 tags in order. Throws FileFailure.
std::vector<LyricsFrame> readLyrics(const RegularFile &file);

}  // namespace ctaglib
