#include "trailing_writer.hpp"

#include <taglib/id3v1genres.h>
#include <taglib/tstring.h>

#include "text_keys.hpp"
#include "trailing_tags.hpp"
#include "utf8.hpp"

namespace ctaglib {
namespace {

std::string littleEndianBytes(size_t value) {
    std::string bytes;
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
    return bytes;
}

std::string item(const std::string &key, uint32_t flags, const std::string &value) {
    return littleEndianBytes(value.size()) + littleEndianBytes(flags) + key + std::string(1, '\0') + value;
}

/// Returns an APE tag's items with edits applied to the existing ones.
std::string editedItems(const std::string &items, const TagEdits &edits) {
    std::string result;
    std::array<bool, CTAGLIB_FIELD_COUNT> isWritten{};
    bool isCoverWritten = false;
    const size_t end = forEachItem(items, [&](const APEItem &old) {
        if (old.kind() == 1 && lowercased(old.key) == "cover art (front)" && edits.cover != CoverChange::leave) {
            if (edits.cover == CoverChange::set && !isCoverWritten) {
                isCoverWritten = true;
                const std::string name = edits.picture.mimeType == "image/png" ? "cover.png" : "cover.jpg";
                result += item(old.key, old.flags, name + std::string(1, '\0') + edits.picture.data);
            }
            return;
        }
        const auto field = old.kind() == 0 ? fieldOfItem(old.key) : std::nullopt;
        if (field) {
            if (const auto &change = edits.texts[static_cast<size_t>(*field)]) {
                if (change->isRemoval || isWritten[static_cast<size_t>(*field)]) return;
                isWritten[static_cast<size_t>(*field)] = true;
                TagContents current;
                if (old.end - old.valueStart <= maximumTextBytes) {
                    current.offer(*field, valuesOfItem(items.substr(old.valueStart, old.end - old.valueStart)));
                }
                if (!states(current.fields[static_cast<size_t>(*field)], *field, change->text)) {
                    result += item(old.key, old.flags, change->text);
                    return;
                }
            }
        }
        result.append(items, old.start, old.end - old.start);
    });
    return result.append(items, end, std::string::npos);
}

size_t countItems(const std::string &items) {
    size_t count = 0;
    forEachItem(items, [&](const APEItem &) { ++count; });
    return count;
}

/// Converts a text to Latin-1 for ID3v1; unsupported characters become question marks.
std::string latin1(const std::string &text) {
    std::string result;
    for (size_t index = 0; index < text.size();) {
        const size_t length = std::max<size_t>(1, sequenceLength(text, index));
        const unsigned char lead = static_cast<unsigned char>(text[index]);
        if (length == 1) {
            result += lead == '\n' ? ' ' : text[index];
        } else if (length == 2 && lead < 0xC4) {
            result += static_cast<char>((lead & 3) << 6 | (static_cast<unsigned char>(text[index + 1]) & 0x3F));
        } else {
            result += '?';
        }
        index += length;
    }
    return result;
}

void put(std::string &tag, size_t offset, size_t size, const std::string &text) {
    std::string field = text.substr(0, size);
    field.resize(size);
    tag.replace(offset, size, field);
}

void editID3v1(std::string &tag, const TagEdits &edits) {
    const auto put30 = [&](ctaglib_field field, size_t offset) {
        if (const auto &change = edits.texts[field]) put(tag, offset, 30, latin1(change->text));
    };
    put30(CTAGLIB_TITLE, 3);
    put30(CTAGLIB_ARTIST, 33);
    put30(CTAGLIB_ALBUM, 63);
    if (const auto &change = edits.texts[CTAGLIB_DATE]) put(tag, 93, 4, change->text);
    if (const auto &change = edits.texts[CTAGLIB_COMMENT]) {
        // ID3v1.1 reserves the last two bytes for the track.
        put(tag, 97, tag[125] == 0 && tag[126] != 0 ? 28 : 30, latin1(change->text));
    }
    if (const auto &change = edits.texts[CTAGLIB_TRACK]) {
        int number = 0;
        for (const char digit : change->text.substr(0, 4)) {
            if (digit < '0' || digit > '9') break;
            number = number * 10 + (digit - '0');
        }
        // If ID3v1.0's comment fills its 30 bytes there is no room for a track.
        if (tag[125] == 0) tag[126] = static_cast<char>(number < 256 ? number : 0);
    }
    if (const auto &change = edits.texts[CTAGLIB_GENRE]) {
        const int genre = change->isRemoval
                              ? 255
                              : TagLib::ID3v1::genreIndex(TagLib::String(change->text, TagLib::String::UTF8));
        tag[127] = static_cast<char>(genre < 0 || genre > 255 ? 255 : genre);
    }
}

}  // namespace

void rewriteTrailingTags(const RegularFile &file, const TagEdits &edits, TagRewrite &rewrite) {
    const TrailingLayout layout = findTrailingTags(file);
    std::string id3v1 = layout.id3v1;
    if (!id3v1.empty()) editID3v1(id3v1, edits);
    rewrite.keptEnd = layout.id3v1Start;
    if (layout.hasAPE()) {
        const size_t count = static_cast<size_t>(layout.apeEnd - layout.apeItemsStart) - apeFooterSize;
        const std::string items = file.read(layout.apeItemsStart, count);
        const std::string edited = editedItems(items, edits);
        if (edited != items) {
            // Header and footer differ in one bit of the flags, which is preserved.
            std::string header;
            if (layout.apeItemsStart >= apeFooterSize) {
                header = file.read(layout.apeItemsStart - apeFooterSize, apeFooterSize);
                if (header.compare(0, 8, "APETAGEX") != 0) header.clear();
            }
            rewrite.keptEnd = layout.apeItemsStart - header.size();
            std::string footer = layout.apeFooter;
            const size_t declared = littleEndian(footer, 16) - countItems(items) + countItems(edited);
            for (std::string *end : {&header, &footer}) {
                if (end->empty()) continue;
                end->replace(12, 4, littleEndianBytes(edited.size() + apeFooterSize));
                end->replace(16, 4, littleEndianBytes(declared));
            }
            rewrite.trailing = header + edited + footer
                               + file.read(layout.apeEnd, static_cast<size_t>(layout.id3v1Start - layout.apeEnd));
            rewrite.isChanged = true;
        }
    }
    if (id3v1 != layout.id3v1) rewrite.isChanged = true;
    rewrite.trailing += id3v1;
    // Overlapping tags are damaged.
    if (rewrite.keptEnd < rewrite.keptStart) throw UnsupportedTag{};
}

}  // namespace ctaglib
