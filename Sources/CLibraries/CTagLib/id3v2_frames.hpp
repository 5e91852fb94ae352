#pragma once
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include <taglib/id3v2header.h>
#include <taglib/id3v2synchdata.h>
#include <taglib/tbytevector.h>

#include "tag_contents.hpp"

namespace ctaglib {

using TagLib::ByteVector;
namespace ID3v2 = TagLib::ID3v2;

constexpr size_t tagHeaderSize = 10;
/// A tagger never writes more consecutive tags than this.
constexpr int maximumStackedTags = 4;
/// zlib expands up to 1032 times, so this keeps an unpacked frame below maximumTextBytes × 5.
constexpr size_t maximumCompressedBytes = 256;

inline unsigned char byteAt(const ByteVector &data, size_t index) {
    return static_cast<unsigned char>(data[static_cast<unsigned int>(index)]);
}

inline size_t bigEndian(const ByteVector &data, size_t index, int count, int bitsPerByte = 8) {
    size_t value = 0;
    for (int i = 0; i < count; ++i) value = value << bitsPerByte | byteAt(data, index + static_cast<size_t>(i));
    return value;
}

inline bool isSynchSafe(const ByteVector &data, size_t index) {
    for (size_t i = 0; i < 4; ++i) {
        if (byteAt(data, index + i) & 0x80) return false;
    }
    return true;
}

/// Location of a frame in the tag.
struct FrameExtent {
    std::string id;
    size_t start;  // of its header in the tag body
    size_t size;
    bool isCompressed;
    bool isEncrypted;
};

/// Iterates over the frames of a tag.
class FrameWalk {
public:
    FrameWalk(const ByteVector &data, const ID3v2::Header &header)
        : data_(data), version_(header.majorVersion()), headerSize_(version_ < 3 ? 6 : 10) {
        if (header.extendedHeader() && version_ >= 3 && data_.size() >= 4) {
            // ID3v2.3 §3.2: the size excludes itself; ID3v2.4 §3.2: it is synchsafe and includes itself.
            position_ = version_ == 3 ? bigEndian(data_, 0, 4) + 4 : bigEndian(data_, 0, 4, 7);
        }
    }

    /// Current position: the start of the first frame, then the end of the frame returned by next(), finally the position where
    /// no frame was found.
    size_t position() const { return position_; }

    /// Returns the next frame's extent and its bytes including the header; nullopt at the end of the tag.
    std::optional<std::pair<FrameExtent, ByteVector>> next() {
        while (++count_ <= maximumFrames && position_ + headerSize_ <= data_.size()) {
            const size_t idSize = version_ < 3 ? 3 : 4;
            if (!isFrameID(position_)) return std::nullopt;  // padding or junk
            FrameExtent frame;
            for (size_t i = 0; i < idSize; ++i) {
                const char letter = static_cast<char>(byteAt(data_, position_ + i));
                if (letter != 0) frame.id += letter;
            }
            bool isPlainSize = false;
            frame.size = sizeAt(position_, isPlainSize);
            if (frame.size > data_.size() - position_ - headerSize_) return std::nullopt;
            const unsigned char flags = version_ < 3 ? 0 : byteAt(data_, position_ + 9);
            frame.isCompressed = version_ == 3 ? (flags & 0x80) != 0 : (flags & 0x08) != 0;
            frame.isEncrypted = version_ == 3 ? (flags & 0x40) != 0 : (flags & 0x04) != 0;
            const size_t start = position_;
            frame.start = start;
            position_ += headerSize_ + frame.size;
            if (frame.size == 0) continue;
            ByteVector bytes = data_.mid(
                static_cast<unsigned int>(start), static_cast<unsigned int>(headerSize_ + frame.size));
            if (isPlainSize) {
                // Normalised to the standard's form, since TagLib sees only this frame.
                const ByteVector size = ID3v2::SynchData::fromUInt(static_cast<unsigned int>(frame.size));
                std::copy(size.begin(), size.end(), bytes.begin() + 4);
            }
            return std::make_pair(frame, bytes);
        }
        return std::nullopt;
    }

private:
    bool isFrameID(size_t position) const {
        const size_t idSize = version_ < 3 ? 3 : 4;
        if (position + idSize > data_.size()) return false;
        for (size_t i = 0; i < idSize; ++i) {
            const unsigned char letter = byteAt(data_, position + i);
            // iTunes writes ID3v2.2's three-letter names followed by a NUL into ID3v2.3 tags.
            const bool isITunesEnd = version_ == 3 && i == 3 && letter == 0;
            if (!((letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') || isITunesEnd)) {
                return false;
            }
        }
        return true;
    }

    bool isBoundary(size_t position) const {
        return position == data_.size()
               || (position < data_.size() && (byteAt(data_, position) == 0 || isFrameID(position)));
    }

    size_t sizeAt(size_t position, bool &isPlain) const {
        if (version_ < 3) return bigEndian(data_, position + 3, 3);
        const size_t plain = bigEndian(data_, position + 4, 4);
        if (version_ == 3) return plain;
        const size_t synchSafe = bigEndian(data_, position + 4, 4, 7);
        // Some iTunes versions write plain sizes in ID3v2.4: used if another frame follows only then.
        const size_t start = position + headerSize_;
        isPlain = !isSynchSafe(data_, position + 4)
                  || (plain != synchSafe && !isBoundary(start + synchSafe) && isBoundary(start + plain));
        return isPlain ? plain : synchSafe;
    }

    const ByteVector &data_;
    const unsigned int version_;
    const size_t headerSize_;
    size_t position_ = 0;
    size_t count_ = 0;
};

}  // namespace ctaglib
