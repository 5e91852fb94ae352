#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "regular_file.hpp"
#include "tag_contents.hpp"

namespace ctaglib {

constexpr size_t id3v1Size = 128;
constexpr size_t apeFooterSize = 32;

/// Locations of the tags at the end of a file: APE, possibly Lyrics3v2, ID3v1, each optional.
struct TrailingLayout {
    /// Empty without an APE tag.
    std::string apeFooter;
    uint64_t apeItemsStart = 0;
    uint64_t apeEnd = 0;
    /// Empty without an ID3v1 tag.
    std::string id3v1;
    /// End of the file without ID3v1.
    uint64_t id3v1Start = 0;

    bool hasAPE() const { return !apeFooter.empty(); }
};

/// An item of an APE tag, by offsets into the tag's items.
struct APEItem {
    size_t start;
    size_t valueStart;
    size_t end;
    uint32_t flags;
    std::string key;

    /// 0 for text, 1 for binary data.
    uint32_t kind() const { return flags >> 1 & 3; }
};

TrailingLayout findTrailingTags(const RegularFile &file);

/// Calls a function for each item; returns the position where no further item was found.
size_t forEachItem(const std::string &items, const std::function<void(const APEItem &)> &visit);

/// Returns the field for an APE item key.
std::optional<ctaglib_field> fieldOfItem(const std::string &key);

/// Returns the values of a text item, separated by NULs (APEv2), without blank ones.
std::vector<std::string> valuesOfItem(const std::string &value);

uint32_t littleEndian(const std::string &bytes, size_t index);

/// Reads the tags at the end of a file: APE (1 and 2), then ID3v1 and 1.1.
void readTrailingTags(const RegularFile &file, TagContents &contents);

}  // namespace ctaglib
