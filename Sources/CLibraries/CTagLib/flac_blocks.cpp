#include "flac_blocks.hpp"

#include "id3v2_frames.hpp"

namespace ctaglib {

uint32_t bigEndian(const std::string &bytes, size_t index) {
    uint32_t value = 0;
    for (size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[index + i]);
    return value;
}

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

std::optional<FLACBlock> blockAt(const RegularFile &file, uint64_t position) {
    const std::string header = file.read(position, blockHeaderSize);
    if (header.size() < blockHeaderSize) return std::nullopt;
    const auto first = static_cast<unsigned char>(header[0]);
    return FLACBlock{
        first & 0x7F, (first & 0x80) != 0, position + blockHeaderSize, bigEndian(header, 0) & maximumBlockSize};
}

}  // namespace ctaglib
