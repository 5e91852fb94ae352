#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "id3v2_frames.hpp"
#include "regular_file.hpp"

namespace ctaglib {

/// All lyrics of one file together; frames beyond are read as empty.
constexpr size_t maximumLyricsBytes = 4u << 20;

/// A lyrics frame as a file has it.
struct LyricsFrame {
    bool isSynchronised = false;
    /// The content without header; nothing for a frame that is encrypted, compressed or too large.
    std::optional<std::string> content;
};

/// A lyrics frame that is to be written: its content for ID3v2.4, and for the versions before.
struct NewLyricsFrame {
    bool isSynchronised = false;
    std::string content;
    std::string olderContent;
};

/// What is to become of the lyrics frames of a file.
struct LyricsEdits {
    /// By their place among all lyrics frames; nothing removes the frame.
    std::map<size_t, std::optional<NewLyricsFrame>> changed;
    std::vector<NewLyricsFrame> added;
};

/// Whether a frame of this name holds lyrics, in the names of all versions.
bool isLyrics(const std::string &id);

/// The name of a lyrics frame in a version.
const char *lyricsFrameName(bool isSynchronised, unsigned int version);

/// The lyrics frames of all ID3v2 tags, in their order. Throws FileFailure.
std::vector<LyricsFrame> readLyrics(const RegularFile &file);

}  // namespace ctaglib
