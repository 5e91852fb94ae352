// Parsed byte by byte here, so that sizes are checked before anything is read: a file may state any number of blocks.

#include "flac_tags.hpp"

#include <algorithm>

#include "id3v2_frames.hpp"
#include "text_keys.hpp"
#include "utf8.hpp"

namespace ctaglib {
namespace {

constexpr size_t blockHeaderSize = 4;
constexpr int maximumBlocks = 1'000;
constexpr int vorbisComment = 4;
constexpr int picture = 6;

uint32_t bigEndian(const std::string &bytes, size_t index) {
    uint32_t value = 0;
    for (size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[index + i]);
    return value;
}

uint32_t littleEndianAt(const std::string &bytes, size_t index) {
    uint32_t value = 0;
    for (size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[index + i]);
    return value;
}

std::optional<ctaglib_field> fieldOfComment(const std::string &key) {
    const std::string name = lowercased(key);
    if (name == "title") return CTAGLIB_TITLE;
    if (name == "artist") return CTAGLIB_ARTIST;
    if (name == "album") return CTAGLIB_ALBUM;
    if (name == "tracknumber") return CTAGLIB_TRACK;
    if (name == "discnumber") return CTAGLIB_DISC;
    if (name == "date") return CTAGLIB_DATE;
    if (name == "genre") return CTAGLIB_GENRE;
    if (name == "composer") return CTAGLIB_COMPOSER;
    if (name == "comment") return CTAGLIB_COMMENT;
    return fieldOfKey(key);
}

/// Values that are used only in addition to others, or without them.
struct LesserComments {
    std::string trackTotal, discTotal, year, description;

    void take(const std::string &key, const std::string &value) {
        const std::string name = lowercased(key);
        if (name == "tracktotal" || name == "totaltracks") trackTotal = value;
        if (name == "disctotal" || name == "totaldiscs") discTotal = value;
        if (name == "year") year = value;
        if (name == "description") description = value;
    }
};

/// Appends the total of a set to the number, as in "3/12".
void complete(std::vector<std::string> &numbers, const std::string &total) {
    if (numbers.empty() || total.empty() || numbers[0].find('/') != std::string::npos) return;
    numbers[0] += "/" + total;
}

void readComments(const std::string &block, TagContents &contents) {
    if (block.size() < 8) return;
    size_t position = 4 + static_cast<size_t>(littleEndianAt(block, 0));
    if (position > block.size() - 4) return;
    const size_t count = std::min<size_t>(littleEndianAt(block, position), maximumFrames);
    position += 4;
    TagContents own;
    LesserComments lesser;
    size_t textBytes = 0;
    for (size_t comment = 0; comment < count && block.size() - position >= 4; ++comment) {
        const size_t size = littleEndianAt(block, position);
        position += 4;
        if (size > block.size() - position) break;
        const size_t start = position;
        position += size;
        if (size > maximumTextBytes) continue;
        textBytes += size;
        if (textBytes > maximumTextBytesPerTag) break;
        const std::string text = block.substr(start, size);
        const size_t sign = text.find('=');
        if (sign == std::string::npos) continue;
        const std::string key = text.substr(0, sign);
        const std::string value = soundUTF8(text.substr(sign + 1));
        if (isBlank(value)) continue;
        if (const auto field = fieldOfComment(key)) {
            own.add(*field, {value});
        } else {
            lesser.take(key, value);
        }
    }
    complete(own.values[CTAGLIB_TRACK], lesser.trackTotal);
    complete(own.values[CTAGLIB_DISC], lesser.discTotal);
    own.offer(CTAGLIB_DATE, lesser.year);
    own.offer(CTAGLIB_COMMENT, lesser.description);
    for (size_t field = 0; field < CTAGLIB_FIELD_COUNT; ++field) {
        contents.offer(static_cast<ctaglib_field>(field), own.values[field]);
    }
}

void readPicture(const std::string &block, TagContents &contents) {
    // Type, MIME type, description, four numbers, and the picture; each text has its size in front.
    if (block.size() < 8) return;
    Picture found;
    found.isFrontCover = bigEndian(block, 0) == 3;
    size_t position = 4;
    for (int text = 0; text < 2; ++text) {
        if (block.size() - position < 4) return;
        const size_t size = bigEndian(block, position);
        position += 4;
        if (size > block.size() - position) return;
        if (text == 0) found.mimeType = block.substr(position, size);
        position += size;
    }
    if (found.mimeType == "-->" || block.size() - position < 20) return;  // a URL instead of a picture
    const size_t size = bigEndian(block, position + 16);
    position += 20;
    found.data = block.substr(position, size);
    contents.offer(std::move(found));
}

}  // namespace

std::optional<uint64_t> findFLAC(const RegularFile &file) {
    uint64_t offset = 0;
    for (int tag = 0; tag <= maximumStackedTags; ++tag) {
        const std::string start = file.read(offset, 10);
        if (start.compare(0, 4, "fLaC") == 0) return offset + 4;
        if (start.size() < 10 || start.compare(0, 3, "ID3") != 0) return std::nullopt;
        uint64_t size = 0;
        for (size_t i = 6; i < 10; ++i) size = size << 7 | (static_cast<unsigned char>(start[i]) & 0x7F);
        offset += 10 + size + ((static_cast<unsigned char>(start[5]) & 0x10) != 0 ? 10 : 0);
    }
    return std::nullopt;
}

void readFLAC(const RegularFile &file, TagContents &contents) {
    auto position = findFLAC(file);
    if (!position) return;
    size_t budget = maximumTagBytes;
    for (int block = 0; block < maximumBlocks; ++block) {
        const std::string header = file.read(*position, blockHeaderSize);
        if (header.size() < blockHeaderSize) return;
        const int type = static_cast<unsigned char>(header[0]) & 0x7F;
        const size_t size = bigEndian(header, 0) & 0xFFFFFF;
        *position += blockHeaderSize;
        const bool isRead = (type == vorbisComment || type == picture) && size <= budget;
        if (isRead) budget -= size;
        if (isRead && type == vorbisComment) {
            contents.kinds |= CTAGLIB_HAS_VORBIS;
            readComments(file.read(*position, size), contents);
        } else if (isRead) {
            readPicture(file.read(*position, size), contents);
        }
        *position += size;
        if ((static_cast<unsigned char>(header[0]) & 0x80) != 0) return;
    }
}

}  // namespace ctaglib
