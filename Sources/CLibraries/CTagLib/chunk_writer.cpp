#include "chunk_writer.hpp"

#include <algorithm>

#include "chunk_texts.hpp"
#include "id3v2_writer.hpp"

namespace ctaglib {
namespace {

/// Returns a chunk with header, content and padding.
std::string chunkBytes(const std::string &name, const std::string &content, bool isBigEndian) {
    std::string bytes = name + numberBytes(content.size(), isBigEndian) + content;
    if (content.size() % 2 != 0) bytes += '\0';
    return bytes;
}

/// Returns the list with edits of the texts it has.
std::string editedList(const std::string &list, const TagEdits &edits) {
    std::string result = list.substr(0, 4);
    const size_t end = forEachInfoItem(list, [&](const InfoItem &item) {
        const auto field = fieldOfInfo(item.name);
        const auto change = field ? edits.texts[static_cast<size_t>(*field)] : std::nullopt;
        if (change && change->isRemoval) return;
        if (change && !states(decodedInfo(list.substr(item.text, item.size)), *field, change->text)) {
            result += chunkBytes(item.name, change->text + '\0', false);
        } else {
            result.append(list, item.start, item.end - item.start);
        }
    });
    return result.append(list, end, std::string::npos);
}

/// Puts the new chunks of a file together.
class ChunkBuilder {
public:
    ChunkBuilder(const RegularFile &file, const ChunkLayout &layout, const TagEdits &edits)
        : file_(file), layout_(layout), edits_(edits) {}

    /// Returns the new bytes of a chunk; nothing if it keeps its own. An empty text means that it is removed.
    std::optional<std::string> edited(const Chunk &chunk) {
        if (chunk.isID3v2() && !hasID3v2_) {
            hasID3v2_ = true;
            const auto tag = editedTag(RegularFile(file_, chunk.content(), chunk.size), chunk.size);
            if (!tag) return std::nullopt;
            return chunkBytes(chunk.name, *tag, layout_.isBigEndian());
        }
        if (chunk.size > maximumTextBytesPerTag) return std::nullopt;
        const auto content = [&] { return file_.read(chunk.content(), static_cast<size_t>(chunk.size)); };
        if (layout_.isBigEndian()) return editedText(chunk, content);
        if (chunk.name != "LIST") return std::nullopt;
        const std::string list = content();
        if (!isInfoList(list)) return std::nullopt;
        std::string changed = editedList(list, edits_);
        if (changed == list) return std::nullopt;
        return chunkBytes(chunk.name, changed, false);
    }

    /// Returns a chunk with a new ID3v2 tag if the file has none and the edits need one; otherwise an empty text.
    std::string added() {
        if (hasID3v2_) return {};
        const auto tag = editedTag(RegularFile(file_, file_.size(), 0), 0);
        if (!tag || tag->empty()) return {};
        return chunkBytes(layout_.isBigEndian() ? "ID3 " : "id3 ", *tag, layout_.isBigEndian());
    }

private:
    /// Returns the content of the chunk of ID3v2 after the edits; nothing if it does not change.
    std::optional<std::string> editedTag(const RegularFile &part, uint64_t size) {
        TagContents texts;
        readChunkTexts(file_, layout_, texts);
        TagRewrite rewrite;
        rewriteID3v2(part, edits_, rewrite, true, 0, &texts);
        if (!rewrite.isChanged) return std::nullopt;
        if (size - rewrite.keptStart > maximumTagBytes) throw UnsupportedTag{};
        return rewrite.leading + part.read(rewrite.keptStart, static_cast<size_t>(size - rewrite.keptStart));
    }

    template <typename Content>
    std::optional<std::string> editedText(const Chunk &chunk, Content content) {
        const auto field = fieldOfInfo(chunk.name);
        const auto change = field ? edits_.texts[static_cast<size_t>(*field)] : std::nullopt;
        if (!change) return std::nullopt;
        if (change->isRemoval) return std::string();
        if (states(decodedInfo(content()), *field, change->text)) return std::nullopt;
        return chunkBytes(chunk.name, change->text, true);
    }

    const RegularFile &file_;
    const ChunkLayout &layout_;
    const TagEdits &edits_;
    bool hasID3v2_ = false;
};

/// States the new size of the file in its header: in 32 bits, and in RF64 in the chunk "ds64" if that comes first.
void stateSize(std::string &leading, uint64_t byteCount, const ChunkLayout &layout) {
    const uint64_t size = byteCount - 8;
    const bool isLarge = leading.compare(0, 4, "RIFF") != 0 && leading.compare(0, 4, "FORM") != 0;
    if (!isLarge) {
        if (size > 0xFFFF'FFFE) throw UnsupportedTag{};
        leading.replace(4, 4, numberBytes(size, layout.isBigEndian()));
    } else if (leading.compare(12, 4, "ds64") == 0 && leading.size() >= 28) {
        leading.replace(20, 8, numberBytes(size & 0xFFFF'FFFF, false) + numberBytes(size >> 32, false));
    } else {
        throw UnsupportedTag{};
    }
}

}  // namespace

void rewriteChunks(const RegularFile &file, const ChunkLayout &layout, const TagEdits &edits, TagRewrite &rewrite) {
    rewrite.container = layout.container;
    if (!layout.isComplete) throw UnsupportedTag{};
    const Chunk &sound = layout.chunks[*layout.sound];
    if (sound.start > maximumTagBytes) throw UnsupportedTag{};
    ChunkBuilder builder(file, layout, edits);
    rewrite.leading = file.read(0, static_cast<size_t>(layout.chunks[0].start));
    rewrite.keptStart = sound.start;
    rewrite.keptEnd = sound.end;
    for (size_t index = 0; index < layout.chunks.size(); ++index) {
        const Chunk &chunk = layout.chunks[index];
        const auto changed = index == *layout.sound ? std::nullopt : builder.edited(chunk);
        if (changed) rewrite.isChanged = true;
        const bool isBefore = index < *layout.sound;
        if (!isBefore && !changed && rewrite.trailing.empty() && chunk.start <= rewrite.keptEnd) {
            // Follows what is kept.
            rewrite.keptEnd = chunk.end;
            continue;
        }
        const uint64_t size = chunk.end - chunk.start;
        if (!changed && size > maximumTagBytes) throw UnsupportedTag{};
        (isBefore ? rewrite.leading : rewrite.trailing) +=
            changed ? *changed : file.read(chunk.start, static_cast<size_t>(size));
    }
    // The bytes behind the last chunk, if any, stay at the end.
    const uint64_t end = layout.chunks.back().end;
    if (file.size() - end > maximumTagBytes) throw UnsupportedTag{};
    const std::string rest = file.read(end, static_cast<size_t>(file.size() - end));
    if (const std::string tag = builder.added(); !tag.empty()) {
        const bool isOdd = (rewrite.leading.size() + rewrite.keptEnd - rewrite.keptStart + rewrite.trailing.size()) % 2 != 0;
        rewrite.trailing += (isOdd ? std::string(1, '\0') : "") + tag;
        rewrite.isChanged = true;
    }
    if (!rewrite.isChanged) {
        rewrite.leading = {};
        rewrite.trailing = {};
        rewrite.keptStart = 0;
        rewrite.keptEnd = file.size();
        return;
    }
    const uint64_t inside = rewrite.leading.size() + rewrite.keptEnd - rewrite.keptStart + rewrite.trailing.size();
    stateSize(rewrite.leading, inside, layout);
    rewrite.trailing += rest;
}

}  // namespace ctaglib
