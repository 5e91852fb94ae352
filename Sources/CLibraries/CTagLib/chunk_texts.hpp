#pragma once
#include <functional>
#include <optional>
#include <string>

#include "chunks.hpp"
#include "tag_contents.hpp"

namespace ctaglib {

/// A text in a list of RIFF INFO.
struct InfoItem {
    std::string name;
    /// Position of its header in the list's content, of the text, and of the end with padding.
    size_t start, text, end;
    /// Size of the text as stored.
    size_t size;
};

/// Calls a function for each text of the content of a chunk "LIST"; returns the position after the last. Does nothing for lists of
/// other types than INFO.
size_t forEachInfoItem(const std::string &list, const std::function<void(const InfoItem &)> &visit);

/// Whether a chunk is a list of type INFO, by the start of its content.
bool isInfoList(const std::string &content);

/// Returns the field of a text of RIFF INFO, or of a text chunk of AIFF.
std::optional<ctaglib_field> fieldOfInfo(const std::string &name);

/// Converts a text as stored to UTF-8: neither format names an encoding, programs write UTF-8 or Latin-1.
std::string decodedInfo(std::string text);

/// Reads the tags in the chunks of a file: ID3v2, then the texts of RIFF INFO or AIFF.
void readChunkTags(const RegularFile &file, const ChunkLayout &layout, TagContents &contents);

/// Reads the texts of RIFF INFO or AIFF.
void readChunkTexts(const RegularFile &file, const ChunkLayout &layout, TagContents &contents);

}  // namespace ctaglib
