// The frames are found here and each is decoded by TagLib on its own. TagLib's own walk over a tag has no
// bounds against hostile files: it unpacks a compressed frame however large it becomes, follows chapters
// inside chapters until the stack ends, and lets a frame's length indicator reach past the frame.

#include "id3v2_reader.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>

#include <taglib/attachedpictureframe.h>
#include <taglib/commentsframe.h>
#include <taglib/id3v1genres.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/id3v2header.h>
#include <taglib/id3v2synchdata.h>
#include <taglib/textidentificationframe.h>

#include "text_keys.hpp"
#include "utf8.hpp"

namespace ctaglib {
namespace {

using TagLib::ByteVector;
using TagLib::String;
using TagLib::StringList;
namespace ID3v2 = TagLib::ID3v2;

constexpr size_t tagHeaderSize = 10;
/// More tags than this in a row are not a mistake of some tagger.
constexpr int maximumStackedTags = 4;
/// zlib expands up to 1032 times, so this keeps an unpacked frame below maximumTextBytes × 5.
constexpr size_t maximumCompressedBytes = 256;

unsigned char byteAt(const ByteVector &data, size_t index) {
    return static_cast<unsigned char>(data[static_cast<unsigned int>(index)]);
}

size_t bigEndian(const ByteVector &data, size_t index, int count, int bitsPerByte = 8) {
    size_t value = 0;
    for (int i = 0; i < count; ++i) value = value << bitsPerByte | byteAt(data, index + static_cast<size_t>(i));
    return value;
}

bool isSynchSafe(const ByteVector &data, size_t index) {
    for (size_t i = 0; i < 4; ++i) {
        if (byteAt(data, index + i) & 0x80) return false;
    }
    return true;
}

/// One frame's place in the tag.
struct FrameExtent {
    std::string id;
    size_t size;
    bool isCompressed;
    bool isEncrypted;
};

/// A tag's frames, found one by one.
class FrameWalk {
public:
    FrameWalk(const ByteVector &data, const ID3v2::Header &header)
        : data_(data), version_(header.majorVersion()), headerSize_(version_ < 3 ? 6 : 10) {
        if (header.extendedHeader() && version_ >= 3 && data_.size() >= 4) {
            // ID3v2.3 §3.2: the size leaves itself out; ID3v2.4 §3.2: it is synch-safe and counts itself.
            position_ = version_ == 3 ? bigEndian(data_, 0, 4) + 4 : bigEndian(data_, 0, 4, 7);
        }
    }

    /// The next frame's header with its data, and what it says; nothing at the end of the tag.
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
            position_ += headerSize_ + frame.size;
            if (frame.size == 0) continue;
            ByteVector bytes = data_.mid(
                static_cast<unsigned int>(start), static_cast<unsigned int>(headerSize_ + frame.size));
            if (isPlainSize) {
                // Written as the standard says, since TagLib sees this frame only.
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
            // iTunes writes ID3v2.2's names of three letters and a NUL into ID3v2.3 tags.
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
        // Some iTunes versions wrote plain sizes into ID3v2.4: believed if only then another frame follows.
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

bool isText(const std::string &id) { return id[0] == 'T' || id == "COMM" || id == "COM"; }

bool isPicture(const std::string &id) { return id == "APIC" || id == "PIC"; }

std::string joined(const StringList &values, bool areGenres = false) {
    std::string text;
    for (const String &value : values) {
        String shown = value;
        bool isNumber = false;
        const int number = value.toInt(&isNumber);
        if (areGenres && isNumber && number >= 0 && number <= 255) shown = TagLib::ID3v1::genre(number);
        const std::string part = shown.to8Bit(true);
        if (part.find_first_not_of(std::string_view(" \t\r\n\0", 5)) == std::string::npos) continue;
        if (!text.empty()) text += "; ";
        text += part;
    }
    return text;
}

std::optional<ctaglib_field> fieldOfFrame(const std::string &id) {
    if (id == "TIT2") return CTAGLIB_TITLE;
    if (id == "TPE1") return CTAGLIB_ARTIST;
    if (id == "TALB") return CTAGLIB_ALBUM;
    if (id == "TPE2") return CTAGLIB_ALBUM_ARTIST;
    if (id == "TRCK") return CTAGLIB_TRACK;
    if (id == "TPOS") return CTAGLIB_DISC;
    if (id == "TDRC") return CTAGLIB_DATE;
    if (id == "TCON") return CTAGLIB_GENRE;
    if (id == "TCOM") return CTAGLIB_COMPOSER;
    if (id == "TCMP") return CTAGLIB_COMPILATION;
    return std::nullopt;
}

/// Texts that count only if no better frame of the same tag gives one.
struct Fallbacks {
    std::string date;
    std::string comment;
    TagContents userTexts;
};

void takeText(const ID3v2::Frame &frame, TagContents &contents, Fallbacks &fallbacks) {
    if (const auto *user = dynamic_cast<const ID3v2::UserTextIdentificationFrame *>(&frame)) {
        StringList values = user->fieldList();
        if (!values.isEmpty()) values.erase(values.begin());  // the description
        if (const auto field = fieldOfKey(user->description().to8Bit(true))) {
            fallbacks.userTexts.offer(*field, joined(values));
        }
    } else if (const auto *text = dynamic_cast<const ID3v2::TextIdentificationFrame *>(&frame)) {
        const ByteVector idBytes = text->frameID();
        const std::string id(idBytes.data(), idBytes.size());
        const std::string value = joined(text->fieldList(), id == "TCON");
        if (const auto field = fieldOfFrame(id)) {
            contents.offer(*field, value);
        } else if ((id == "TDRL" || id == "TDOR") && fallbacks.date.empty()) {
            fallbacks.date = value;
        }
    } else if (const auto *comment = dynamic_cast<const ID3v2::CommentsFrame *>(&frame)) {
        const std::string description = comment->description().to8Bit(true);
        const std::string value = comment->text().to8Bit(true);
        if (description.empty()) {
            contents.offer(CTAGLIB_COMMENT, value);
        } else if (description.compare(0, 4, "iTun") != 0 && fallbacks.comment.empty()) {
            // iTunes keeps numbers for itself in comments (iTunNORM, iTunSMPB).
            fallbacks.comment = value;
        }
    }
}

void takePicture(const ID3v2::Frame &frame, TagContents &contents) {
    const auto *attached = dynamic_cast<const ID3v2::AttachedPictureFrame *>(&frame);
    if (!attached) return;
    Picture picture;
    picture.mimeType = attached->mimeType().to8Bit(true);
    if (picture.mimeType == "-->") return;  // an address instead of a picture
    picture.isFrontCover = attached->type() == ID3v2::AttachedPictureFrame::FrontCover;
    const ByteVector data = attached->picture();
    picture.data.assign(data.data(), data.size());
    contents.offer(std::move(picture));
}

/// Repairs a text frame in UTF-8, since TagLib drops a whole text for one wrong byte. Frames that are packed
/// in some way are left as they are.
ByteVector repaired(const ByteVector &frame, const ID3v2::Header &header) {
    constexpr unsigned int headerSize = 10;
    const bool isPacked = header.unsynchronisation() || byteAt(frame, 8) != 0 || byteAt(frame, 9) != 0;
    if (frame.size() <= headerSize || byteAt(frame, headerSize) != 3 || isPacked) return frame;
    const ByteVector content = frame.mid(headerSize);
    const std::string text(content.data(), content.size());
    const std::string sound = soundUTF8(text);
    if (sound == text) return frame;
    ByteVector result = frame.mid(0, headerSize);
    const auto size = static_cast<unsigned int>(sound.size());
    const ByteVector sizeBytes =
        header.majorVersion() == 4 ? ID3v2::SynchData::fromUInt(size) : ByteVector::fromUInt(size);
    std::copy(sizeBytes.begin(), sizeBytes.end(), result.begin() + 4);
    return result.append(ByteVector(sound.data(), size));
}

void readTag(ByteVector data, const ID3v2::Header &header, TagContents &contents) {
    if (header.unsynchronisation() && header.majorVersion() <= 3) data = ID3v2::SynchData::decode(data);
    FrameWalk walk(data, header);
    Fallbacks fallbacks;
    size_t textBytes = 0;
    while (const auto found = walk.next()) {
        const auto &[extent, bytes] = *found;
        if (extent.isEncrypted || (extent.isCompressed && extent.size > maximumCompressedBytes)) continue;
        const bool picture = isPicture(extent.id);
        if (!picture && !isText(extent.id)) continue;
        if (!picture) {
            if (extent.size > maximumTextBytes) continue;
            textBytes += extent.size;
            if (textBytes > maximumTextBytesPerTag) break;
        }
        const std::unique_ptr<ID3v2::Frame> frame(ID3v2::FrameFactory::instance()->createFrame(
            picture || header.majorVersion() < 3 ? bytes : repaired(bytes, header), &header));
        if (!frame) continue;
        if (picture) {
            takePicture(*frame, contents);
        } else {
            takeText(*frame, contents, fallbacks);
        }
    }
    contents.offer(CTAGLIB_DATE, fallbacks.date);
    contents.offer(CTAGLIB_COMMENT, fallbacks.comment);
    for (int field = 0; field < CTAGLIB_FIELD_COUNT; ++field) {
        contents.offer(
            static_cast<ctaglib_field>(field), fallbacks.userTexts.fields[static_cast<size_t>(field)]);
    }
}

}  // namespace

void readID3v2(const RegularFile &file, TagContents &contents) {
    uint64_t offset = 0;
    for (int tag = 0; tag < maximumStackedTags; ++tag) {
        const std::string start = file.read(offset, tagHeaderSize);
        if (start.size() < tagHeaderSize || start.compare(0, 3, "ID3") != 0) return;
        const ID3v2::Header header(ByteVector(start.data(), tagHeaderSize));
        if (header.majorVersion() < 2 || header.majorVersion() > 4) return;
        contents.kinds |= CTAGLIB_HAS_ID3V2;
        const std::string body =
            file.read(offset + tagHeaderSize, std::min<size_t>(header.tagSize(), maximumTagBytes));
        readTag(ByteVector(body.data(), static_cast<unsigned int>(body.size())), header, contents);
        offset += header.completeTagSize();
    }
}

}  // namespace ctaglib
