// Frames are located here and decoded one by one with TagLib. TagLib's own parser has no limits against malicious files: it
// unpacks a compressed frame of any size, follows chapters inside chapters until the stack overflows, and lets a frame's length
// indicator reach past the frame.

#include "id3v2_reader.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include <taglib/attachedpictureframe.h>
#include <taglib/commentsframe.h>
#include <taglib/id3v1genres.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/id3v2header.h>
#include <taglib/id3v2synchdata.h>
#include <taglib/textidentificationframe.h>
#include <taglib/uniquefileidentifierframe.h>

#include "id3v2_frames.hpp"
#include "text_keys.hpp"
#include "utf8.hpp"

namespace ctaglib {
namespace {

using TagLib::String;
using TagLib::StringList;

bool isText(const std::string &id) { return id[0] == 'T' || id == "COMM" || id == "COM"; }

/// A frame with an id of a database, among them MusicBrainz.
bool isIdentifier(const std::string &id) { return id == "UFID"; }

bool isPicture(const std::string &id) { return id == "APIC" || id == "PIC"; }

/// Returns the values of a frame in UTF-8, without blank ones.
std::vector<std::string> shownValues(const StringList &values, bool areGenres = false) {
    std::vector<std::string> result;
    for (const String &value : values) {
        String shown = value;
        bool isNumber = false;
        const int number = value.toInt(&isNumber);
        if (areGenres && isNumber && number >= 0 && number <= 255) shown = TagLib::ID3v1::genre(number);
        std::string part = shown.to8Bit(true);
        if (!isBlank(part)) result.push_back(std::move(part));
    }
    return result;
}

/// Whether a repeated frame of this field adds a value. ID3v2 allows one frame of each kind (ID3v2.3 §4.2, ID3v2.4 §4.2), but
/// some programs write one per artist, especially in ID3v2.3, which has no multiple values. "/" is not treated as a separator:
/// it is part of names such as AC/DC.
bool mayRepeat(ctaglib_field field) {
    return field == CTAGLIB_ARTIST || field == CTAGLIB_ALBUM_ARTIST || field == CTAGLIB_COMPOSER
           || field == CTAGLIB_GENRE;
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
    if (id == "TBPM") return CTAGLIB_BPM;
    if (id == "TKEY") return CTAGLIB_INITIAL_KEY;
    if (id == "TSRC") return CTAGLIB_ISRC;
    if (id == "TSOT") return CTAGLIB_TITLE_SORT;
    if (id == "TMOO") return CTAGLIB_MOOD;
    if (id == "TEXT") return CTAGLIB_LYRICIST;
    if (id == "TPE3") return CTAGLIB_CONDUCTOR;
    if (id == "TPE4") return CTAGLIB_REMIXER;
    return std::nullopt;
}

/// iTunes stores its own numbers in comments (iTunNORM, iTunSMPB), MediaMonkey its own fields.
bool isProgramsOwn(const std::string &description) {
    return description.compare(0, 4, "iTun") == 0 || description.compare(0, 9, "Songs-DB_") == 0;
}

/// The texts of one tag, including those used only if the tag has no better frame.
struct TagTexts {
    TagContents own;
    std::vector<std::string> date;
    std::string comment;
    TagContents userTexts;
};

void takeText(const ID3v2::Frame &frame, TagTexts &texts) {
    if (const auto *user = dynamic_cast<const ID3v2::UserTextIdentificationFrame *>(&frame)) {
        StringList values = user->fieldList();
        if (!values.isEmpty()) values.erase(values.begin());  // the description
        if (const auto field = fieldOfKey(user->description().to8Bit(true))) {
            texts.userTexts.offer(*field, shownValues(values));
        }
    } else if (const auto *text = dynamic_cast<const ID3v2::TextIdentificationFrame *>(&frame)) {
        const ByteVector idBytes = text->frameID();
        const std::string id(idBytes.data(), idBytes.size());
        const auto values = shownValues(text->fieldList(), id == "TCON");
        if (const auto field = fieldOfFrame(id)) {
            if (mayRepeat(*field)) {
                texts.own.add(*field, values);
            } else {
                texts.own.offer(*field, values);
            }
        } else if ((id == "TDRL" || id == "TDOR") && texts.date.empty()) {
            texts.date = values;
        }
    } else if (const auto *comment = dynamic_cast<const ID3v2::CommentsFrame *>(&frame)) {
        const std::string description = comment->description().to8Bit(true);
        const std::string value = comment->text().to8Bit(true);
        if (description.empty()) {
            texts.own.offer(CTAGLIB_COMMENT, value);
        } else if (!isProgramsOwn(description) && texts.comment.empty()) {
            texts.comment = value;
        }
    } else if (const auto *identifier = dynamic_cast<const ID3v2::UniqueFileIdentifierFrame *>(&frame)) {
        if (identifier->owner() == "http://musicbrainz.org") {
            const ByteVector value = identifier->identifier();
            texts.own.offer(CTAGLIB_MUSICBRAINZ_TRACK_ID, std::string(value.data(), value.size()));
        }
    }
}

void takePicture(const ID3v2::Frame &frame, TagContents &contents) {
    const auto *attached = dynamic_cast<const ID3v2::AttachedPictureFrame *>(&frame);
    if (!attached) return;
    Picture picture;
    picture.mimeType = attached->mimeType().to8Bit(true);
    if (picture.mimeType == "-->") return;  // a URL instead of a picture
    picture.isFrontCover = attached->type() == ID3v2::AttachedPictureFrame::FrontCover;
    const ByteVector data = attached->picture();
    picture.data.assign(data.data(), data.size());
    contents.offer(std::move(picture));
}

/// Repairs a text frame in UTF-8, since TagLib drops a whole text because of one invalid byte. Frames that are packed in any
/// way are not changed.
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
           && (isPicture(extent.id) || ((isText(extent.id) || isIdentifier(extent.id)) && extent.size <= maximumTextBytes));
}

/// Returns the field of a frame by its ID alone, for all ID3v2 versions.
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
        {"TCP", {CTAGLIB_COMPILATION}},    {"TBPM", {CTAGLIB_BPM}},
        {"TBP", {CTAGLIB_BPM}},            {"TKEY", {CTAGLIB_INITIAL_KEY}},
        {"TKE", {CTAGLIB_INITIAL_KEY}},
    };
    const auto found = subjects.find(id);
    if (found == subjects.end()) return std::nullopt;
    return found->second;
}

void readTag(ByteVector data, const ID3v2::Header &header, TagContents &contents) {
    if (header.unsynchronisation() && header.majorVersion() <= 3) data = ID3v2::SynchData::decode(data);
    FrameWalk walk(data, header);
    TagTexts texts;
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
            takeText(*frame, texts);
        }
    }
    texts.own.offer(CTAGLIB_DATE, texts.date);
    texts.own.offer(CTAGLIB_COMMENT, texts.comment);
    for (size_t field = 0; field < CTAGLIB_FIELD_COUNT; ++field) {
        contents.offer(static_cast<ctaglib_field>(field), texts.own.values[field]);
        contents.offer(static_cast<ctaglib_field>(field), texts.userTexts.values[field]);
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
