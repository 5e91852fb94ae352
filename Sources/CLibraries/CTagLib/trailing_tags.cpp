// Parsed byte by byte here, since TagLib's reader of APE items creates an object for each NUL-separated part of an item of any
// size.

#include "trailing_tags.hpp"

#include <algorithm>
#include <optional>

#include <taglib/id3v1genres.h>

#include "text_keys.hpp"
#include "utf8.hpp"

namespace ctaglib {
namespace {

constexpr size_t lyricsFooterSize = 15;

/// ID3v1 does not specify an encoding. Several programs write UTF-8, which hardly any Latin-1 text resembles; a character cut
/// in two by the end of the field is dropped. Everything else is treated as Latin-1.
std::string decodedID3v1(std::string text, bool isFull) {
    size_t index = 0;
    bool isUTF8 = true;
    while (index < text.size()) {
        const size_t length = sequenceLength(text, index);
        if (length == 0) {
            isUTF8 = isFull && text.size() - index < 4 && static_cast<unsigned char>(text[index]) >= 0xC2
                     && std::all_of(text.begin() + static_cast<long>(index) + 1, text.end(), [](char c) {
                            return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
                        });
            break;
        }
        index += length;
    }
    // Without a preceding valid sequence, a lone byte at the end is a Latin-1 letter.
    const bool hasSequence = std::any_of(text.begin(), text.begin() + static_cast<long>(index), [](char c) {
        return (static_cast<unsigned char>(c) & 0x80) != 0;
    });
    if (isUTF8 && (hasSequence || index == text.size())) return text.substr(0, index);
    std::string converted;
    for (const char character : text) {
        const unsigned char byte = static_cast<unsigned char>(character);
        if (byte < 0x80) {
            converted += character;
        } else {
            converted += static_cast<char>(0xC0 | byte >> 6);
            converted += static_cast<char>(0x80 | (byte & 0x3F));
        }
    }
    return converted;
}

std::string id3v1Field(const std::string &tag, size_t offset, size_t size) {
    std::string text = tag.substr(offset, size);
    text.resize(std::min(text.find('\0'), text.size()));
    const bool isFull = text.size() == size;
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return decodedID3v1(text, isFull && text.size() == size);
}

void readID3v1(const std::string &tag, TagContents &contents) {
    contents.kinds |= CTAGLIB_HAS_ID3V1;
    contents.offer(CTAGLIB_TITLE, id3v1Field(tag, 3, 30));
    contents.offer(CTAGLIB_ARTIST, id3v1Field(tag, 33, 30));
    contents.offer(CTAGLIB_ALBUM, id3v1Field(tag, 63, 30));
    contents.offer(CTAGLIB_DATE, id3v1Field(tag, 93, 4));
    // ID3v1.1: a NUL and a number at the end of the comment are the track number.
    const bool hasTrack = tag[125] == 0 && tag[126] != 0;
    contents.offer(CTAGLIB_COMMENT, id3v1Field(tag, 97, hasTrack ? 28 : 30));
    if (hasTrack) contents.offer(CTAGLIB_TRACK, std::to_string(static_cast<unsigned char>(tag[126])));
    contents.offer(CTAGLIB_GENRE, TagLib::ID3v1::genre(static_cast<unsigned char>(tag[127])).to8Bit(true));
}

}  // namespace

uint32_t littleEndian(const std::string &bytes, size_t index) {
    uint32_t value = 0;
    for (size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[index + i]);
    return value;
}

std::optional<ctaglib_field> fieldOfItem(const std::string &key) {
    const std::string name = lowercased(key);
    if (name == "title") return CTAGLIB_TITLE;
    if (name == "artist") return CTAGLIB_ARTIST;
    if (name == "album") return CTAGLIB_ALBUM;
    if (name == "track") return CTAGLIB_TRACK;
    if (name == "disc" || name == "disk") return CTAGLIB_DISC;
    if (name == "year") return CTAGLIB_DATE;
    if (name == "genre") return CTAGLIB_GENRE;
    if (name == "composer") return CTAGLIB_COMPOSER;
    if (name == "comment") return CTAGLIB_COMMENT;
    return fieldOfKey(key);
}

namespace {

void takeItem(const std::string &key, const std::string &value, uint32_t flags, TagContents &contents) {
    const uint32_t kind = flags >> 1 & 3;
    if (kind == 0 && value.size() <= maximumTextBytes) {
        if (const auto field = fieldOfItem(key)) {
            contents.offer(*field, valuesOfItem(value));
        }
    } else if (kind == 1 && lowercased(key).compare(0, 9, "cover art") == 0) {
        // A file name and a NUL precede the picture.
        const size_t end = value.find('\0');
        if (end == std::string::npos) return;
        Picture picture;
        picture.isFrontCover = lowercased(key) == "cover art (front)";
        picture.data = value.substr(end + 1);
        contents.offer(std::move(picture));
    }
}

/// Finds an APE tag whose footer ends at a position in the file.
bool findAPE(const RegularFile &file, uint64_t end, TrailingLayout &layout) {
    if (end < apeFooterSize) return false;
    const std::string footer = file.read(end - apeFooterSize, apeFooterSize);
    if (footer.size() < apeFooterSize || footer.compare(0, 8, "APETAGEX") != 0) return false;
    // The size includes the footer but not the header.
    const uint64_t size = littleEndian(footer, 12);
    if (size < apeFooterSize || size > end || size > maximumTagBytes) return false;
    layout.apeFooter = footer;
    layout.apeItemsStart = end - size;
    layout.apeEnd = end;
    return true;
}

/// Returns the start of a Lyrics3v2 tag that ends at a position; the position itself if there is no such tag.
uint64_t beforeLyrics(const RegularFile &file, uint64_t end) {
    if (end < lyricsFooterSize) return end;
    const std::string footer = file.read(end - lyricsFooterSize, lyricsFooterSize);
    if (footer.size() < lyricsFooterSize || footer.compare(6, 9, "LYRICS200") != 0) return end;
    uint64_t size = 0;
    for (size_t i = 0; i < 6; ++i) {
        if (footer[i] < '0' || footer[i] > '9') return end;
        size = size * 10 + static_cast<uint64_t>(footer[i] - '0');
    }
    return size + lyricsFooterSize <= end ? end - size - lyricsFooterSize : end;
}

}  // namespace

std::vector<std::string> valuesOfItem(const std::string &value) {
    std::vector<std::string> values;
    for (size_t start = 0; start <= value.size();) {
        const size_t end = std::min(value.find('\0', start), value.size());
        std::string part = value.substr(start, end - start);
        if (!isBlank(part)) values.push_back(std::move(part));
        start = end + 1;
    }
    return values;
}

size_t forEachItem(const std::string &items, const std::function<void(const APEItem &)> &visit) {
    size_t position = 0;
    for (size_t count = 0; count < maximumFrames && position + 8 < items.size(); ++count) {
        const size_t valueSize = littleEndian(items, position);
        const size_t keyEnd = items.find('\0', position + 8);
        // A key has 2 to 255 characters.
        if (keyEnd == std::string::npos || keyEnd - position - 8 > 255) return position;
        if (valueSize > items.size() - keyEnd - 1) return position;
        APEItem item;
        item.start = position;
        item.flags = littleEndian(items, position + 4);
        item.key = items.substr(position + 8, keyEnd - position - 8);
        item.valueStart = keyEnd + 1;
        item.end = position = keyEnd + 1 + valueSize;
        visit(item);
    }
    return position;
}

TrailingLayout findTrailingTags(const RegularFile &file) {
    TrailingLayout layout;
    uint64_t end = file.size();
    if (end >= id3v1Size) {
        layout.id3v1 = file.read(end - id3v1Size, id3v1Size);
        if (layout.id3v1.size() == id3v1Size && layout.id3v1.compare(0, 3, "TAG") == 0) {
            end -= id3v1Size;
        } else {
            layout.id3v1.clear();
        }
    }
    layout.id3v1Start = end;
    if (!findAPE(file, end, layout)) {
        const uint64_t before = beforeLyrics(file, end);
        if (before != end) findAPE(file, before, layout);
    }
    return layout;
}

void readTrailingTags(const RegularFile &file, TagContents &contents) {
    const TrailingLayout layout = findTrailingTags(file);
    if (layout.hasAPE()) {
        contents.kinds |= CTAGLIB_HAS_APE;
        const std::string items = file.read(
            layout.apeItemsStart, static_cast<size_t>(layout.apeEnd - layout.apeItemsStart) - apeFooterSize);
        forEachItem(items, [&](const APEItem &item) {
            takeItem(
                item.key, items.substr(item.valueStart, item.end - item.valueStart), item.flags, contents);
        });
    }
    if (!layout.id3v1.empty()) readID3v1(layout.id3v1, contents);
}

}  // namespace ctaglib
