// The frames are found here and each is decoded by TagLib on its own. TagLib's own walk over a tag has no
// bounds against hostile files: it unpacks a compressed frame however large it becomes, follows chapters
// inside chapters until the stack ends, and lets a frame's length indicator reach past the frame.

#include "id3v2_reader.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>

#include <taglib/attachedpictureframe.h>
#include <taglib/commentsframe.h>
#include <taglib/id3v1genres.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/id3v2header.h>
#include <taglib/id3v2synchdata.h>
#include <taglib/textidentificationframe.h>

#include "id3v2_frames.hpp"
#include "text_keys.hpp"
#include "utf8.hpp"

namespace ctaglib {
namespace {

using TagLib::String;
using TagLib::StringList;

bool isText(const std::string &id) { return id[0] == 'T' || id == "COMM" || id == "COM"; }

bool isPicture(const std::string &id) { return id == "APIC" || id == "PIC"; }

/// All values as one text, and whether there are several.
struct JoinedValues {
    std::string text;
    bool areSeveral = false;
};

JoinedValues joined(const StringList &values, bool areGenres = false) {
    JoinedValues result;
    std::string &text = result.text;
    for (const String &value : values) {
        String shown = value;
        bool isNumber = false;
        const int number = value.toInt(&isNumber);
        if (areGenres && isNumber && number >= 0 && number <= 255) shown = TagLib::ID3v1::genre(number);
        const std::string part = shown.to8Bit(true);
        if (part.find_first_not_of(std::string_view(" \t\r\n\0", 5)) == std::string::npos) continue;
        result.areSeveral = !text.empty();
        if (!text.empty()) text += "; ";
        text += part;
    }
    return result;
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

/// iTunes keeps numbers for itself in comments (iTunNORM, iTunSMPB), MediaMonkey its own fields.
bool isProgramsOwn(const std::string &description) {
    return description.compare(0, 4, "iTun") == 0 || description.compare(0, 9, "Songs-DB_") == 0;
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
            const JoinedValues value = joined(values);
            fallbacks.userTexts.offer(*field, value.text, value.areSeveral);
        }
    } else if (const auto *text = dynamic_cast<const ID3v2::TextIdentificationFrame *>(&frame)) {
        const ByteVector idBytes = text->frameID();
        const std::string id(idBytes.data(), idBytes.size());
        const JoinedValues value = joined(text->fieldList(), id == "TCON");
        if (const auto field = fieldOfFrame(id)) {
            contents.offer(*field, value.text, value.areSeveral);
        } else if ((id == "TDRL" || id == "TDOR") && fallbacks.date.empty()) {
            fallbacks.date = value.text;
        }
    } else if (const auto *comment = dynamic_cast<const ID3v2::CommentsFrame *>(&frame)) {
        const std::string description = comment->description().to8Bit(true);
        const std::string value = comment->text().to8Bit(true);
        if (description.empty()) {
            contents.offer(CTAGLIB_COMMENT, value);
        } else if (!isProgramsOwn(description) && fallbacks.comment.empty()) {
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

bool canBeDecoded(const FrameExtent &extent) {
    return !extent.isEncrypted && !(extent.isCompressed && extent.size > maximumCompressedBytes)
           && (isPicture(extent.id) || (isText(extent.id) && extent.size <= maximumTextBytes));
}

/// The field of a frame by its name alone, in the names of all versions.
std::optional<FrameSubject> subjectOfName(const std::string &id) {
    static const std::unordered_map<std::string, FrameSubject> subjects = {
        {"TIT2", {CTAGLIB_TITLE}},         {"TT2", {CTAGLIB_TITLE}},
        {"TPE1", {CTAGLIB_ARTIST}},        {"TP1", {CTAGLIB_ARTIST}},
        {"TALB", {CTAGLIB_ALBUM}},         {"TAL", {CTAGLIB_ALBUM}},
        {"TPE2", {CTAGLIB_ALBUM_ARTIST}},  {"TP2", {CTAGLIB_ALBUM_ARTIST}},
        {"TRCK", {CTAGLIB_TRACK}},         {"TRK", {CTAGLIB_TRACK}},
        {"TPOS", {CTAGLIB_DISC}},          {"TPA", {CTAGLIB_DISC}},
        {"TDRC", {CTAGLIB_DATE}},          {"TYER", {CTAGLIB_DATE}},
        {"TYE", {CTAGLIB_DATE}},           {"TDAT", {CTAGLIB_DATE}},
        {"TDA", {CTAGLIB_DATE}},           {"TIME", {CTAGLIB_DATE}},
        {"TIM", {CTAGLIB_DATE}},           {"TDRL", {CTAGLIB_DATE, true}},
        {"TDOR", {CTAGLIB_DATE, true}},    {"TORY", {CTAGLIB_DATE, true}},
        {"TOR", {CTAGLIB_DATE, true}},     {"TCON", {CTAGLIB_GENRE}},
        {"TCO", {CTAGLIB_GENRE}},          {"TCOM", {CTAGLIB_COMPOSER}},
        {"TCM", {CTAGLIB_COMPOSER}},        {"TCMP", {CTAGLIB_COMPILATION}},
        {"TCP", {CTAGLIB_COMPILATION}},
    };
    const auto found = subjects.find(id);
    if (found == subjects.end()) return std::nullopt;
    return found->second;
}

void readTag(ByteVector data, const ID3v2::Header &header, TagContents &contents) {
    if (header.unsynchronisation() && header.majorVersion() <= 3) data = ID3v2::SynchData::decode(data);
    FrameWalk walk(data, header);
    Fallbacks fallbacks;
    size_t textBytes = 0;
    while (const auto found = walk.next()) {
        const auto &[extent, bytes] = *found;
        if (!canBeDecoded(extent)) continue;
        const bool picture = isPicture(extent.id);
        if (!picture) {
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
            static_cast<ctaglib_field>(field), fallbacks.userTexts.fields[static_cast<size_t>(field)],
            fallbacks.userTexts.areSeveral[static_cast<size_t>(field)]);
    }
}

}  // namespace

FrameSubject subjectOf(const FrameExtent &extent, const ByteVector &bytes, const ID3v2::Header &header) {
    if (const auto subject = subjectOfName(extent.id)) return *subject;
    if (!canBeDecoded(extent)) return {};
    const std::unique_ptr<ID3v2::Frame> frame(ID3v2::FrameFactory::instance()->createFrame(
        isPicture(extent.id) || header.majorVersion() < 3 ? bytes : repaired(bytes, header), &header));
    FrameSubject subject;
    if (const auto *user = dynamic_cast<const ID3v2::UserTextIdentificationFrame *>(frame.get())) {
        subject.field = fieldOfKey(user->description().to8Bit(true));
    } else if (const auto *comment = dynamic_cast<const ID3v2::CommentsFrame *>(frame.get())) {
        const std::string description = comment->description().to8Bit(true);
        if (isProgramsOwn(description)) return {};
        subject.field = CTAGLIB_COMMENT;
        subject.isFallback = !description.empty();
        const ByteVector language = comment->language();
        subject.language.assign(language.data(), language.size());
    } else if (const auto *picture = dynamic_cast<const ID3v2::AttachedPictureFrame *>(frame.get())) {
        subject.pictureType = picture->type();
    }
    return subject;
}

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
