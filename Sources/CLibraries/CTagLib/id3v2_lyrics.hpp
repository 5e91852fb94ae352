#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "id3v2_frames.hpp"
#include "regular_file.hpp"

namespace ctaglib {

/// Maximum size of all lyrics of a file; frames beyond are read as empty.
constexpr size_t maximumLyricsBytes = 4u << 20;

/// A lyrics frame of a file.
struct LyricsFrame {
    bool isSynchronised = false;
    /// The content without header; nullopt for a frame that is encrypted, compressed or too large.
    std::optional<std::string> content;
};

/// A lyrics frame to write: its content for ID3v2.4, and for earlier versions.
struct NewLyricsFrame {
    bool isSynchronised = false;
    std::string content;
    std::string olderContent;
};

/// Changes to the lyrics frames of a file.
struct LyricsEdits {
    /// By index among all lyrics frames; nullopt removes the frame.
    std::map<size_t, std::optional<NewLyricsFrame>> changed;
    std::vector<NewLyricsFrame> added;
};

/// Whether a frame with this ID contains lyrics, in any ID3v2 version.
bool isLyrics(const std::string &id);

/// Returns the ID of a lyrics frame in a version.
const char *lyricsFrameName(bool isSynchronised, unsigned int version);

/// Returns the lyrics frames of all ID3v2 tags in order. Throws FileFailure.
std::vector<LyricsFrame> readLyrics(const RegularFile &file);

}  // namespace ctaglib
