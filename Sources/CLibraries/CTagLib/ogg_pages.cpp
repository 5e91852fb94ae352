#include "ogg_pages.hpp"

#include <algorithm>
#include <array>

#include "id3v2_frames.hpp"
#include "tag_contents.hpp"
#include "trailing_tags.hpp"

namespace ctaglib {
namespace {

/// RFC 3533 §6: size of a header without its table, maximum number of segments, and of bytes in one.
constexpr size_t fixedHeaderSize = 27;
constexpr size_t maximumSegments = 255;
constexpr size_t fullSegment = 255;
constexpr size_t checksumPosition = 22;
/// Number of pages before the comments, and of those with them: a picture may take a thousand.
constexpr size_t maximumPages = 10'000;

enum PageFlag { continued = 1, first = 2 };

/// The CRC-32 of pages: polynomial 0x04C11DB7, not reflected.
uint32_t checksum(const std::string &page) {
    static const auto table = [] {
        std::array<uint32_t, 256> values{};
        for (uint32_t index = 0; index < 256; ++index) {
            uint32_t value = index << 24;
            for (int bit = 0; bit < 8; ++bit) value = value << 1 ^ ((value >> 31) != 0 ? 0x04C11DB7u : 0u);
            values[index] = value;
        }
        return values;
    }();
    uint32_t crc = 0;
    for (const char byte : page) crc = crc << 8 ^ table[(crc >> 24) ^ static_cast<unsigned char>(byte)];
    return crc;
}

/// A page with a right checksum.
struct Page {
    uint64_t start;
    std::string bytes;

    unsigned char at(size_t index) const { return static_cast<unsigned char>(bytes[index]); }
    bool has(PageFlag flag) const { return (at(5) & flag) != 0; }
    uint32_t serial() const { return littleEndian(bytes, 14); }
    uint32_t sequence() const { return littleEndian(bytes, 18); }
    size_t segmentCount() const { return at(26); }
    size_t bodyStart() const { return fixedHeaderSize + segmentCount(); }
    uint64_t end() const { return start + bytes.size(); }
    bool bodyStartsWith(const std::string &text) const { return bytes.compare(bodyStart(), text.size(), text) == 0; }
};

std::optional<Page> pageAt(const RegularFile &file, uint64_t start) {
    std::string header = file.read(start, fixedHeaderSize + maximumSegments);
    if (header.size() < fixedHeaderSize || header.compare(0, 4, "OggS") != 0 || header[4] != 0) return std::nullopt;
    const size_t bodyStart = fixedHeaderSize + static_cast<unsigned char>(header[26]);
    if (header.size() < bodyStart) return std::nullopt;
    size_t size = bodyStart;
    for (size_t i = fixedHeaderSize; i < bodyStart; ++i) size += static_cast<unsigned char>(header[i]);
    Page page{start, file.read(start, size)};
    if (page.bytes.size() < size) return std::nullopt;
    std::string zeroed = page.bytes;
    zeroed.replace(checksumPosition, 4, 4, '\0');
    if (checksum(zeroed) != littleEndian(page.bytes, checksumPosition)) return std::nullopt;
    return page;
}

std::optional<CommentDialect> dialectOf(const Page &page) {
    if (page.bodyStartsWith("OpusHead")) return CommentDialect::opus;
    if (page.bodyStartsWith("\x01vorbis")) return CommentDialect::vorbis;
    return std::nullopt;
}

/// Joins the packets on the pages of one stream.
class PacketReader {
public:
    explicit PacketReader(OggComments &comments, size_t wanted) : comments_(comments), wanted_(wanted) {}

    /// Takes a page. Returns false if the packets are damaged or too large.
    bool take(const Page &page) {
        if (page.has(continued) != isInside_) return false;
        size_t position = page.bodyStart();
        for (size_t segment = 0; segment < page.segmentCount(); ++segment) {
            if (isComplete()) {
                comments_.isShared = true;
                return true;
            }
            const size_t size = page.at(fixedHeaderSize + segment);
            packet_.append(page.bytes, position, size);
            position += size;
            isInside_ = size == fullSegment;
            if (isInside_) continue;
            comments_.packets.push_back(std::move(packet_));
            packet_.clear();
        }
        return packet_.size() <= maximumTagBytes;
    }

    bool isComplete() const { return comments_.packets.size() == wanted_; }

private:
    OggComments &comments_;
    const size_t wanted_;
    std::string packet_;
    bool isInside_ = false;
};

bool hasSignatures(const OggComments &comments) {
    const auto starts = [&](size_t index, const std::string &text) {
        return index >= comments.packets.size() || comments.packets[index].compare(0, text.size(), text) == 0;
    };
    if (comments.dialect == CommentDialect::opus) return starts(0, "OpusTags");
    return starts(0, "\x03vorbis") && starts(1, "\x05vorbis");
}

}  // namespace

std::optional<uint64_t> findOgg(const RegularFile &file) {
    uint64_t offset = 0;
    for (int tag = 0; tag <= maximumStackedTags; ++tag) {
        const std::string start = file.read(offset, 10);
        if (start.compare(0, 4, "OggS") == 0) return offset;
        if (start.size() < 10 || start.compare(0, 3, "ID3") != 0) return std::nullopt;
        uint64_t size = 0;
        for (size_t i = 6; i < 10; ++i) size = size << 7 | (static_cast<unsigned char>(start[i]) & 0x7F);
        offset += 10 + size + ((static_cast<unsigned char>(start[5]) & 0x10) != 0 ? 10 : 0);
    }
    return std::nullopt;
}

std::optional<OggComments> readOggComments(const RegularFile &file, bool withSetup) {
    auto position = findOgg(file);
    if (!position) return std::nullopt;
    OggComments comments;
    std::optional<Page> page;
    bool isFound = false;
    // The first pages of all streams come before any other.
    size_t count = 0;
    for (; count < maximumPages && (page = pageAt(file, *position)) && page->has(first); ++count) {
        const auto dialect = dialectOf(*page);
        if (dialect && !isFound) {
            isFound = true;
            comments.dialect = *dialect;
            comments.serial = page->serial();
        }
        position = page->end();
    }
    if (!isFound) return std::nullopt;
    PacketReader packets(comments, comments.dialect == CommentDialect::vorbis && withSetup ? 2 : 1);
    for (; count < maximumPages && !packets.isComplete(); ++count) {
        page = pageAt(file, *position);
        if (!page || page->has(first)) return std::nullopt;
        position = page->end();
        if (page->serial() != comments.serial) {
            comments.isShared = comments.isShared || comments.pageCount > 0;
            continue;
        }
        if (comments.pageCount++ == 0) {
            comments.start = page->start;
            comments.firstSequence = page->sequence();
        }
        if (!packets.take(*page)) return std::nullopt;
        comments.end = page->end();
    }
    return packets.isComplete() && hasSignatures(comments) ? std::optional(std::move(comments)) : std::nullopt;
}

size_t segmentCount(const std::string &packet) { return packet.size() / fullSegment + 1; }

std::vector<std::string> oggPages(
    const std::vector<std::string> &packets, size_t pageCount, uint32_t serial, uint32_t firstSequence) {
    std::string segments;
    std::string body;
    for (const std::string &packet : packets) {
        segments.append(packet.size() / fullSegment, static_cast<char>(fullSegment));
        segments += static_cast<char>(packet.size() % fullSegment);
        body += packet;
    }
    const size_t needed = (segments.size() + maximumSegments - 1) / maximumSegments;
    const size_t count = std::max(needed, std::min(pageCount, segments.size()));
    std::vector<std::string> pages;
    size_t segment = 0;
    size_t position = 0;
    bool isInside = false;
    for (size_t number = 0; number < count; ++number) {
        // Each of the pages after this one needs a segment.
        const size_t taken = std::min(maximumSegments, segments.size() - segment - (count - number - 1));
        const std::string table = segments.substr(segment, taken);
        size_t size = 0;
        bool hasEnd = false;
        for (const char value : table) {
            size += static_cast<unsigned char>(value);
            hasEnd = hasEnd || static_cast<unsigned char>(value) < fullSegment;
        }
        std::string page = "OggS";
        page += '\0';
        page += static_cast<char>(isInside ? continued : 0);
        // The position in time: 0, or none on a page on which no packet ends.
        page.append(8, hasEnd ? '\0' : '\xFF');
        appendLittleEndian(page, serial);
        appendLittleEndian(page, firstSequence + static_cast<uint32_t>(number));
        page.append(4, '\0');
        page += static_cast<char>(taken);
        page += table;
        page.append(body, position, size);
        std::string sum;
        appendLittleEndian(sum, checksum(page));
        page.replace(checksumPosition, 4, sum);
        pages.push_back(std::move(page));
        isInside = static_cast<unsigned char>(table.back()) == fullSegment;
        segment += taken;
        position += size;
    }
    return pages;
}

}  // namespace ctaglib
