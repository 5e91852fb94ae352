#include "chunks.hpp"

#include "text_keys.hpp"

namespace ctaglib {
namespace {

/// A file may state any number of chunks.
constexpr size_t maximumChunks = 10'000;
constexpr uint64_t firstChunk = 12;
/// Sizes from here on may stand for an unknown one.
constexpr uint64_t smallestOpenSize = 0x7FFF'0000;

std::optional<ctaglib_container> containerOf(const std::string &head) {
    const std::string outer = head.substr(0, 4), inner = head.size() < firstChunk ? "" : head.substr(8, 4);
    if ((outer == "RIFF" || outer == "RF64" || outer == "BW64") && inner == "WAVE") return CTAGLIB_WAV;
    if (outer == "FORM" && (inner == "AIFF" || inner == "AIFC")) return CTAGLIB_AIFF;
    return std::nullopt;
}

/// Whether the content of a chunk "fmt " has the number of MPEG audio or MP3.
bool isOfMPEG(const std::string &format) {
    return format.size() >= 2 && (format[0] == 0x50 || format[0] == 0x55) && format[1] == 0;
}

}  // namespace

std::string numberBytes(uint64_t value, bool isBigEndian) {
    std::string bytes;
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * (isBigEndian ? 3 - i : i)) & 0xFF);
    return bytes;
}

uint32_t numberAt(const std::string &bytes, size_t index, bool isBigEndian) {
    if (bytes.size() < 4 || index > bytes.size() - 4) return 0;
    uint32_t value = 0;
    for (size_t i = 0; i < 4; ++i) {
        value |= static_cast<uint32_t>(static_cast<unsigned char>(bytes[index + i])) << (8 * (isBigEndian ? 3 - i : i));
    }
    return value;
}

bool Chunk::isID3v2() const { return lowercased(name) == "id3 "; }

std::optional<ChunkLayout> findChunks(const RegularFile &file) {
    const std::string head = file.read(0, firstChunk);
    const auto container = containerOf(head);
    if (!container) return std::nullopt;
    ChunkLayout layout{*container, {}, std::nullopt};
    const bool isBigEndian = layout.isBigEndian();
    uint64_t position = firstChunk, largeSize = 0;
    bool isSound = true;
    while (layout.chunks.size() < maximumChunks && position + 8 <= file.size()) {
        const std::string header = file.read(position, 8);
        if (header.size() < 8) break;
        Chunk chunk{header.substr(0, 4), position, numberAt(header, 4, isBigEndian), 0};
        const bool isData = chunk.name == (isBigEndian ? "SSND" : "data");
        if (chunk.name == "ds64") {
            const std::string sizes = file.read(chunk.content(), 16);
            largeSize = static_cast<uint64_t>(numberAt(sizes, 12, false)) << 32 | numberAt(sizes, 8, false);
        }
        if (isData && chunk.size == 0xFFFF'FFFF && largeSize != 0) chunk.size = largeSize;
        if (!isBigEndian && chunk.name == "fmt " && isOfMPEG(file.read(chunk.content(), 2))) return std::nullopt;
        const uint64_t rest = file.size() - chunk.content();
        // A size that a program could not fill in later says nothing about what follows.
        if (chunk.size > rest || (isData && (chunk.size == 0 || (chunk.size >= smallestOpenSize && largeSize == 0)
                                             ) && chunk.size != rest)) {
            isSound = false;
        }
        chunk.end = chunk.content() + std::min(chunk.size, rest);
        if (chunk.size % 2 != 0 && chunk.end < file.size() && file.read(chunk.end, 1) == std::string(1, '\0')) {
            ++chunk.end;
        }
        if (isData && !layout.sound) layout.sound = layout.chunks.size();
        position = chunk.end;
        layout.chunks.push_back(std::move(chunk));
        if (!isSound) break;
    }
    layout.isComplete = isSound && layout.sound && layout.chunks.size() < maximumChunks;
    return layout;
}

}  // namespace ctaglib
