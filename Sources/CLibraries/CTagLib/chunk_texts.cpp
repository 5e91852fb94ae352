#include "chunk_texts.hpp"

#include <algorithm>
#include <unordered_map>

#include "id3v2_reader.hpp"
#include "utf8.hpp"

namespace ctaglib {

bool isInfoList(const std::string &content) { return content.compare(0, 4, "INFO") == 0; }

size_t forEachInfoItem(const std::string &list, const std::function<void(const InfoItem &)> &visit) {
    if (!isInfoList(list)) return 0;
    size_t position = 4;
    for (size_t count = 0; count < maximumFrames && list.size() - position >= 8; ++count) {
        InfoItem item;
        item.name = list.substr(position, 4);
        item.start = position;
        item.text = position + 8;
        item.size = numberAt(list, position + 4, false);
        if (item.size > list.size() - item.text) return position;
        item.end = std::min(list.size(), item.text + item.size + item.size % 2);
        position = item.end;
        visit(item);
    }
    return position;
}

std::optional<ctaglib_field> fieldOfInfo(const std::string &name) {
    // The names of Microsoft's specification and, for track and composer, those that programs use.
    static const std::unordered_map<std::string, ctaglib_field> fields = {
        {"INAM", CTAGLIB_TITLE},   {"IART", CTAGLIB_ARTIST}, {"IPRD", CTAGLIB_ALBUM},    {"ICRD", CTAGLIB_DATE},
        {"IGNR", CTAGLIB_GENRE},   {"IPRT", CTAGLIB_TRACK},  {"ITRK", CTAGLIB_TRACK},    {"ICMT", CTAGLIB_COMMENT},
        {"IMUS", CTAGLIB_COMPOSER}, {"NAME", CTAGLIB_TITLE}, {"AUTH", CTAGLIB_ARTIST},   {"ANNO", CTAGLIB_COMMENT},
    };
    const auto found = fields.find(name);
    if (found == fields.end()) return std::nullopt;
    return found->second;
}

std::string decodedInfo(std::string text) {
    text.resize(std::min(text.find('\0'), text.size()));
    while (!text.empty() && text.back() == ' ') text.pop_back();
    if (soundUTF8(text) == text) return text;
    std::string converted;
    for (const char character : text) {
        const auto byte = static_cast<unsigned char>(character);
        if (byte < 0x80) {
            converted += character;
        } else {
            converted += static_cast<char>(0xC0 | byte >> 6);
            converted += static_cast<char>(0x80 | (byte & 0x3F));
        }
    }
    return converted;
}

void readChunkTexts(const RegularFile &file, const ChunkLayout &layout, TagContents &contents) {
    size_t budget = maximumTextBytesPerTag;
    for (const Chunk &chunk : layout.chunks) {
        const bool isText = layout.isBigEndian() ? fieldOfInfo(chunk.name).has_value() : chunk.name == "LIST";
        if (!isText || chunk.size > budget) continue;
        const std::string content = file.read(chunk.content(), static_cast<size_t>(chunk.size));
        if (layout.isBigEndian()) {
            budget -= content.size();
            contents.kinds |= CTAGLIB_HAS_INFO;
            if (const std::string text = decodedInfo(content); !isBlank(text)) {
                contents.offer(*fieldOfInfo(chunk.name), text);
            }
        } else if (isInfoList(content)) {
            budget -= content.size();
            contents.kinds |= CTAGLIB_HAS_INFO;
            forEachInfoItem(content, [&](const InfoItem &item) {
                const auto field = fieldOfInfo(item.name);
                const std::string text = decodedInfo(content.substr(item.text, item.size));
                if (field && item.size <= maximumTextBytes && !isBlank(text)) contents.offer(*field, text);
            });
        }
    }
}

void readChunkTags(const RegularFile &file, const ChunkLayout &layout, TagContents &contents) {
    for (const Chunk &chunk : layout.chunks) {
        if (chunk.isID3v2()) readID3v2(RegularFile(file, chunk.content(), chunk.size), contents);
    }
    readChunkTexts(file, layout, contents);
}

}  // namespace ctaglib
