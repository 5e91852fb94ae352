#include "id3v2_lyrics.hpp"

#include <algorithm>

namespace ctaglib {
namespace {

/// Returns the content of a frame with the tag's transformations undone; nullopt if it is encrypted, compressed or too large.
std::optional<std::string> contentOf(
    const FrameExtent &extent, const ByteVector &bytes, const ID3v2::Header &header) {
    const unsigned int version = header.majorVersion();
    const size_t headerSize = version < 3 ? 6 : 10;
    if (extent.isEncrypted || extent.isCompressed || extent.size > maximumLyricsBytes) return std::nullopt;
    ByteVector content = bytes.mid(static_cast<unsigned int>(headerSize));
    if (version == 3 && (byteAt(bytes, 9) & 0x20)) content = content.mid(1);  // group, §3.3.1
    if (version == 4) {
        const unsigned char flags = byteAt(bytes, 9);
        // §4.1.2: group, then the length before unsynchronisation.
        const unsigned int extra = (flags & 0x40 ? 1u : 0u) + (flags & 0x01 ? 4u : 0u);
        content = content.mid(extra);
        if ((flags & 0x02) || header.unsynchronisation()) content = ID3v2::SynchData::decode(content);
    }
    return std::string(content.data(), content.size());
}

}  // namespace

bool isLyrics(const std::string &id) { return id == "USLT" || id == "SYLT" || id == "ULT" || id == "SLT"; }

const char *lyricsFrameName(ctaglib_lyrics_kind kind, unsigned int version) {
    const bool isSynchronised = kind == CTAGLIB_LYRICS_SYLT;
    if (version < 3) return isSynchronised ? "SLT" : "ULT";
    return isSynchronised ? "SYLT" : "USLT";
}

std::vector<LyricsFrame> readLyrics(const RegularFile &file) {
    std::vector<LyricsFrame> frames;
    size_t total = 0;
    uint64_t offset = 0;
    for (int tag = 0; tag < maximumStackedTags; ++tag) {
        const std::string start = file.read(offset, tagHeaderSize);
        if (start.size() < tagHeaderSize || start.compare(0, 3, "ID3") != 0) break;
        const ID3v2::Header header(ByteVector(start.data(), tagHeaderSize));
        if (header.majorVersion() < 2 || header.majorVersion() > 4) break;
        const std::string body =
            file.read(offset + tagHeaderSize, std::min<size_t>(header.tagSize(), maximumTagBytes));
        ByteVector data(body.data(), static_cast<unsigned int>(body.size()));
        if (header.unsynchronisation() && header.majorVersion() <= 3) data = ID3v2::SynchData::decode(data);
        FrameWalk walk(data, header);
        while (const auto found = walk.next()) {
            const auto &[extent, bytes] = *found;
            if (!isLyrics(extent.id)) continue;
            LyricsFrame frame;
            frame.kind = extent.id[0] == 'S' ? CTAGLIB_LYRICS_SYLT : CTAGLIB_LYRICS_USLT;
            total += extent.size;
            if (total <= maximumLyricsBytes) frame.content = contentOf(extent, bytes, header);
            frames.push_back(std::move(frame));
        }
        offset += header.completeTagSize();
    }
    return frames;
}

}  // namespace ctaglib
