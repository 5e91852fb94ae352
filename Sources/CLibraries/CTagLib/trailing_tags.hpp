#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "regular_file.hpp"
#include "tag_contents.hpp"

namespace ctaglib {

constexpr size_t id3v1Size = 128;
constexpr size_t apeFooterSize = 32;

/// Where the tags at the end of a file lie: APE, perhaps Lyrics3v2, ID3v1, each if it is there.
struct TrailingLayout {
    /// Empty if there is no APE tag.
    std::string apeFooter;
    uint64_t apeItemsStart = 0;
    uint64_t apeEnd = 0;
    /// Empty if there is no ID3v1 tag.
    std::string id3v1;
    /// The end of the file without ID3v1.
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

    /// 0 for text, 1 for bytes.
    uint32_t kind() const { return flags >> 1 & 3; }
};

TrailingLayout findTrailingTags(const RegularFile &file);

/// Visits the items one by one; returns where no further item was found.
size_t forEachItem(const std::string &items, const std::function<void(const APEItem &)> &visit);

/// The field that an APE item's key names.
std::optional<ctaglib_field> fieldOfItem(const std::string &key);

uint32_t littleEndian(const std::string &bytes, size_t index);

/// Reads the tags at the end of a file: APE (1 and 2), then ID3v1 and 1.1.
void readTrailingTags(const RegularFile &file, TagContents &contents);

}  // namespace ctaglib
