// TagLib renders the changed frames; the tag around them is assembled here, since TagLib's own writer converts ID3v2.2 and 2.3
// frame by frame to other versions, drops frames it considers outdated (RVAD, EQUA, TSIZ), empties frames with unknown flags,
// and unpacks everything in a malicious tag.

#include "id3v2_writer.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include <taglib/attachedpictureframe.h>
#include <taglib/commentsframe.h>
#include <taglib/textidentificationframe.h>

#include "id3v2_frames.hpp"
#include "id3v2_reader.hpp"
#include "trailing_tags.hpp"
#include "utf8.hpp"

namespace ctaglib {
namespace {

using TagLib::String;
using TagLib::StringList;

/// Padding of a tag that must grow: room for later edits by any program.
constexpr size_t newPadding = 2048;
/// Maximum unused space before a tag is shrunk.
constexpr size_t maximumPadding = 64u << 10;
/// Longer texts of other tags are not copied to a new tag: an edit could not set them either.
constexpr size_t maximumCarriedBytes = 10'000;
/// ID3v2.4 §3.1: 28 bits.
constexpr size_t maximumTagSize = (1u << 28) - 1;
constexpr unsigned char experimentalFlag = 0x20;

std::string toString(const ByteVector &bytes) { return std::string(bytes.data(), bytes.size()); }

String toTagLib(const std::string &text) { return String(text, String::UTF8); }

/// Returns a frame with header and content (ID3v2.2 §3.2, ID3v2.3 §3.3, ID3v2.4 §4).
std::string frame(unsigned int version, const std::string &id, const std::string &content) {
    const size_t size = content.size();
    std::string result = id;
    const int count = version < 3 ? 3 : 4;
    const int bits = version == 4 ? 7 : 8;
    for (int i = count - 1; i >= 0; --i) {
        result += static_cast<char>(size >> (i * bits) & ((1u << bits) - 1));
    }
    if (version >= 3) result.append(2, '\0');
    return result + content;
}

/// Returns the content of a frame as rendered by TagLib.
std::string content(const ID3v2::Frame &frame) { return toString(frame.render().mid(10)); }

String::Type encodingFor(unsigned int version, const String &text) {
    if (version == 4) return String::UTF8;
    return text.isLatin1() ? String::Latin1 : String::UTF16;
}

const char *frameName(ctaglib_field field, unsigned int version) {
    const bool isShort = version < 3;
    switch (field) {
    case CTAGLIB_TITLE: return isShort ? "TT2" : "TIT2";
    case CTAGLIB_ARTIST: return isShort ? "TP1" : "TPE1";
    case CTAGLIB_ALBUM: return isShort ? "TAL" : "TALB";
    case CTAGLIB_ALBUM_ARTIST: return isShort ? "TP2" : "TPE2";
    case CTAGLIB_TRACK: return isShort ? "TRK" : "TRCK";
    case CTAGLIB_DISC: return isShort ? "TPA" : "TPOS";
    case CTAGLIB_DATE: return isShort ? "TYE" : version == 3 ? "TYER" : "TDRC";
    case CTAGLIB_GENRE: return isShort ? "TCO" : "TCON";
    case CTAGLIB_COMPOSER: return isShort ? "TCM" : "TCOM";
    case CTAGLIB_COMMENT: return isShort ? "COM" : "COMM";
    case CTAGLIB_COMPILATION: return isShort ? "TCP" : "TCMP";
    case CTAGLIB_BPM: return isShort ? "TBP" : "TBPM";
    case CTAGLIB_INITIAL_KEY: return isShort ? "TKE" : "TKEY";
    default: throw UnsupportedTag{};
    }
}

/// Returns the description of a text without its own frame ID; null for other fields. Same case as in rsgain and loudgain.
const char *userDescription(ctaglib_field field) {
    switch (field) {
    case CTAGLIB_REPLAYGAIN_TRACK_GAIN: return "REPLAYGAIN_TRACK_GAIN";
    case CTAGLIB_REPLAYGAIN_TRACK_PEAK: return "REPLAYGAIN_TRACK_PEAK";
    case CTAGLIB_REPLAYGAIN_ALBUM_GAIN: return "REPLAYGAIN_ALBUM_GAIN";
    case CTAGLIB_REPLAYGAIN_ALBUM_PEAK: return "REPLAYGAIN_ALBUM_PEAK";
    default: return nullptr;
    }
}

/// Returns a frame with values; only ID3v2.4 supports multiple values.
std::string textFrame(
    ctaglib_field field, const std::vector<std::string> &values, unsigned int version, const std::string &language) {
    StringList texts;
    for (const std::string &value : values) texts.append(toTagLib(value));
    const String text = texts.toString("; ");
    const String::Type encoding = encodingFor(version, text);
    if (field == CTAGLIB_COMMENT) {
        ID3v2::CommentsFrame comment(encoding);
        const std::string shown = language.size() == 3 ? language : "eng";
        comment.setLanguage(ByteVector(shown.data(), 3));
        comment.setText(text);
        return frame(version, frameName(field, version), content(comment));
    }
    if (const char *description = userDescription(field)) {
        ID3v2::UserTextIdentificationFrame user(text.isLatin1() ? String::Latin1 : encoding);
        user.setDescription(description);
        user.setText(text);
        return frame(version, version < 3 ? "TXX" : "TXXX", content(user));
    }
    // This ID is only needed to create the frame; the version's own ID is written.
    ID3v2::TextIdentificationFrame plain(ByteVector("TIT2"), encoding);
    if (version == 4) {
        plain.setText(texts);
    } else {
        plain.setText(text);
    }
    return frame(version, frameName(field, version), content(plain));
}

std::string pictureFrame(const Picture &picture, unsigned int version) {
    const bool isPNG = picture.mimeType == "image/png";
    if (version < 3) {
        // ID3v2.2 §4.15: encoding, three-letter format, type, description, picture.
        return frame(
            version, "PIC", std::string("\0", 1) + (isPNG ? "PNG" : "JPG") + std::string("\x03\0", 2) + picture.data);
    }
    ID3v2::AttachedPictureFrame attached;
    attached.setTextEncoding(String::Latin1);
    attached.setMimeType(toTagLib(picture.mimeType));
    attached.setType(ID3v2::AttachedPictureFrame::FrontCover);
    attached.setPicture(ByteVector(picture.data.data(), static_cast<unsigned int>(picture.data.size())));
    return frame(version, "APIC", content(attached));
}

/// Returns the edits without those that the tags already fulfil.
TagEdits outstanding(const RegularFile &file, const TagEdits &edits) {
    TagContents current;
    readID3v2(file, current);
    TagEdits result = edits;
    for (size_t field = 0; field < result.texts.size(); ++field) {
        auto &change = result.texts[field];
        if (change && !change->isRemoval
            && states(current.fields[field], static_cast<ctaglib_field>(field), change->text)) {
            change.reset();
        }
    }
    if (result.cover == CoverChange::set && current.picture.isFrontCover
        && current.picture.data == result.picture.data) {
        result.cover = CoverChange::leave;
    }
    return result;
}

bool isDigit(char character) { return character >= '0' && character <= '9'; }

/// Returns a date as required by ID3v2.4 §4: unchanged if it is a timestamp, otherwise its year; empty without a year.
std::string timestamp(const std::string &date) {
    constexpr std::string_view pattern = "0000-00-00T00:00:00";
    size_t length = 0;
    while (length < date.size() && length < pattern.size()
           && (pattern[length] == '0' ? isDigit(date[length]) : date[length] == pattern[length])) {
        ++length;
    }
    if (length < 4 || (length < date.size() && isDigit(date[4]))) return {};
    const bool isWhole = length == date.size() && (length - 4) % 3 == 0;
    return isWhole ? date : date.substr(0, 4);
}

/// Returns the values of an APE or ID3v1 field for a new ID3v2 tag, since many programs read no other tag if there is ID3v2.
/// Empty if ID3v2 cannot represent them; they remain in the other tag, which is kept.
std::vector<std::string> carriedValues(ctaglib_field field, const std::vector<std::string> &values) {
    if (field > CTAGLIB_INITIAL_KEY || values.empty()) return {};
    size_t size = 0;
    for (const std::string &value : values) {
        size += value.size();
        if (soundUTF8(value) != value) return {};
        // ID3v2 treats a number, or a number in parentheses, as an index into ID3v1's list.
        const bool isNumber = std::all_of(value.begin(), value.end(), isDigit);
        if (field == CTAGLIB_GENRE && (isNumber || value[0] == '(')) return {};
    }
    if (size > maximumCarriedBytes) return {};
    const bool hasOneValue = field == CTAGLIB_TRACK || field == CTAGLIB_DISC || field == CTAGLIB_DATE
                             || field >= CTAGLIB_COMPILATION;
    if (!hasOneValue) return values;
    if (values.size() > 1) return {};
    if (field != CTAGLIB_DATE) return values;
    const std::string date = timestamp(values[0]);
    return date.empty() ? std::vector<std::string>{} : std::vector<std::string>{date};
}

bool hasSomethingToSet(const TagEdits &edits) {
    return edits.cover == CoverChange::set || !edits.lyrics.added.empty()
           || std::any_of(edits.texts.begin(), edits.texts.end(), [](const auto &change) {
                  return change && !change->isRemoval;
              });
}

/// A frame of the old tag.
struct OldFrame {
    FrameExtent extent;
    size_t end;
    ByteVector bytes;
    FrameSubject subject;
};

/// Rebuilds one tag.
class TagBuilder {
public:
    /// - writesFrames: whether new values are written in place of old ones, not only removed.
    /// - addsMissing: whether values are also written if the tag has no old ones.
    /// - lyricsCount: number of lyrics in the preceding tags; this tag's frames are added.
    TagBuilder(
        const TagEdits &edits, unsigned int version, bool writesFrames, bool addsMissing, size_t &lyricsCount)
        : edits_(edits), version_(version), writesFrames_(writesFrames), addsMissing_(addsMissing),
          lyricsCount_(lyricsCount) {}

    /// Returns the tag with the edits applied; nullopt if it does not change.
    std::optional<std::string> rebuilt(const std::string &tagHeader, const std::string &rawBody) {
        const ID3v2::Header header(ByteVector(tagHeader.data(), tagHeaderSize));
        ByteVector data(rawBody.data(), static_cast<unsigned int>(rawBody.size()));
        if (header.unsynchronisation() && version_ <= 3) data = ID3v2::SynchData::decode(data);
        FrameWalk walk(data, header);
        // An extended header is omitted: its checksum would be wrong.
        size_t copied = std::min<size_t>(walk.position(), data.size());
        std::vector<OldFrame> frames;
        while (auto found = walk.next()) {
            auto &[extent, bytes] = *found;
            frames.push_back({extent, walk.position(), bytes, subjectOf(extent, bytes, header)});
        }
        findCover(frames);
        for (const OldFrame &old : frames) {
            body_ += toString(data.mid(
                static_cast<unsigned int>(copied), static_cast<unsigned int>(old.extent.start - copied)));
            copied = old.end;
            if (const auto *lyrics = changedLyrics(old)) {
                isChanged_ = true;
                if (*lyrics) addLyrics(**lyrics);
            } else if (isToGo(old)) {
                isChanged_ = true;
                addInPlaceOf(old);
            } else {
                std::string kept = toString(old.bytes);
                if (version_ == 4 && header.unsynchronisation()) markUnsynchronised(kept);
                body_ += kept;
            }
        }
        addMissing();
        if (!isChanged_) return std::nullopt;
        const std::string rest = toString(data.mid(static_cast<unsigned int>(copied)));
        const bool isPadding = std::all_of(rest.begin(), rest.end(), [](char byte) { return byte == 0; });
        // Data that is not readable as frames may still be useful to other programs.
        if (!isPadding) body_ += rest;
        return finished(static_cast<unsigned char>(tagHeader[5]) & experimentalFlag, rawBody.size(), isPadding);
    }

    /// Returns a tag for a file without ID3v2, including the values of its other tags.
    std::string created(const TagContents &others) {
        for (size_t index = 0; index < CTAGLIB_FIELD_COUNT; ++index) {
            const auto field = static_cast<ctaglib_field>(index);
            const auto values = carriedValues(field, others.values[index]);
            if (values.empty()) continue;
            // If an edit requests the values that are already there, multiple values are preserved.
            const auto &change = edits_.texts[index];
            if (change && (change->isRemoval || !states(others.fields[index], field, change->text))) continue;
            isAdded_[index] = true;
            body_ += textFrame(field, values, version_, "");
        }
        addMissing();
        return finished(0, 0, true);
    }

private:
    /// The cover is the picture marked as front cover; without one, the first picture of type "other", which is written by
    /// programs that do not support types.
    void findCover(const std::vector<OldFrame> &frames) {
        for (size_t i = 0; i < frames.size(); ++i) {
            if (frames[i].subject.pictureType == 3) {
                coverType_ = 3;
                return;
            }
            if (frames[i].subject.pictureType == 0 && !otherCover_) otherCover_ = frames[i].extent.start;
        }
    }

    /// Returns the change to a lyrics frame, or null.
    const std::optional<NewLyricsFrame> *changedLyrics(const OldFrame &old) {
        if (!isLyrics(old.extent.id)) return nullptr;
        const auto found = edits_.lyrics.changed.find(lyricsCount_++);
        return found == edits_.lyrics.changed.end() ? nullptr : &found->second;
    }

    void addLyrics(const NewLyricsFrame &lyrics) {
        if (lyrics.kind == CTAGLIB_LYRICS_COMMENT) throw UnsupportedTag{};
        isChanged_ = true;
        body_ += frame(
            version_, lyricsFrameName(lyrics.kind, version_),
            version_ == 4 ? lyrics.content : lyrics.olderContent);
    }

    bool isToGo(const OldFrame &old) const {
        if (old.subject.pictureType) {
            if (edits_.cover == CoverChange::leave) return false;
            return coverType_ ? old.subject.pictureType == coverType_ : otherCover_ == old.extent.start;
        }
        if (!old.subject.field) return false;
        const auto &change = edits_.texts[static_cast<size_t>(*old.subject.field)];
        return change && (change->isRemoval || !old.subject.isFallback);
    }

    void addInPlaceOf(const OldFrame &old) {
        if (old.subject.pictureType) {
            addCover();
        } else if (old.subject.field) {
            addText(*old.subject.field, old.subject.language);
        }
    }

    void addText(ctaglib_field field, const std::string &language) {
        const auto &change = edits_.texts[static_cast<size_t>(field)];
        if (!writesFrames_ || !change || change->isRemoval || isAdded_[static_cast<size_t>(field)]) return;
        isAdded_[static_cast<size_t>(field)] = true;
        isChanged_ = true;
        body_ += textFrame(field, {change->text}, version_, language);
    }

    void addCover() {
        if (!writesFrames_ || edits_.cover != CoverChange::set || isCoverAdded_) return;
        isCoverAdded_ = true;
        isChanged_ = true;
        body_ += pictureFrame(edits_.picture, version_);
    }

    void addMissing() {
        if (!writesFrames_ || !addsMissing_) return;
        for (int field = 0; field < CTAGLIB_FIELD_COUNT; ++field) addText(static_cast<ctaglib_field>(field), "");
        addCover();
        for (const NewLyricsFrame &lyrics : edits_.lyrics.added) addLyrics(lyrics);
    }

    /// Marks a frame as unsynchronised, since the new tag header no longer does.
    static void markUnsynchronised(std::string &frame) {
        if (frame.find(std::string("\xFF\0", 2), 10) != std::string::npos) frame[9] |= 0x02;
    }

    std::string finished(unsigned char flags, size_t oldSize, bool mayPad) {
        if (mayPad) {
            const bool fits = body_.size() <= oldSize && oldSize - body_.size() <= maximumPadding;
            body_.resize(fits ? oldSize : body_.size() + newPadding);
        }
        if (body_.size() > maximumTagSize || body_.size() > maximumTagBytes) throw UnsupportedTag{};
        std::string tag = "ID3";
        tag += static_cast<char>(version_);
        tag += '\0';
        tag += static_cast<char>(flags);
        tag += toString(ID3v2::SynchData::fromUInt(static_cast<unsigned int>(body_.size())));
        return tag + body_;
    }

    const TagEdits &edits_;
    const unsigned int version_;
    const bool writesFrames_;
    const bool addsMissing_;
    size_t &lyricsCount_;
    std::string body_;
    bool isChanged_ = false;
    bool isCoverAdded_ = false;
    std::array<bool, CTAGLIB_FIELD_COUNT> isAdded_{};
    std::optional<int> coverType_;
    std::optional<size_t> otherCover_;
};

}  // namespace

void rewriteID3v2(
    const RegularFile &file, const TagEdits &edits, TagRewrite &rewrite, bool addsMissing, size_t lyricsCount,
    const TagContents *others) {
    const TagEdits wanted = outstanding(file, edits);
    uint64_t offset = 0;
    int count = 0;
    for (; count < maximumStackedTags; ++count) {
        const std::string start = file.read(offset, tagHeaderSize);
        if (start.size() < tagHeaderSize || start.compare(0, 3, "ID3") != 0) break;
        const ID3v2::Header header(ByteVector(start.data(), tagHeaderSize));
        const unsigned int version = header.majorVersion();
        if (version < 2 || version > 4) break;
        const uint64_t end = offset + header.completeTagSize();
        if (header.tagSize() > maximumTagBytes || end > file.size()) throw UnsupportedTag{};
        const std::string body = file.read(offset + tagHeaderSize, header.tagSize());
        if (const auto tag = TagBuilder(wanted, version, count == 0, addsMissing, lyricsCount).rebuilt(start, body)) {
            rewrite.leading += *tag;
            rewrite.isChanged = true;
        } else {
            rewrite.leading += file.read(offset, static_cast<size_t>(end - offset));
        }
        offset = end;
    }
    rewrite.keptStart = offset;
    if (count == 0 && addsMissing && hasSomethingToSet(wanted)) {
        TagContents trailing;
        if (others == nullptr) readTrailingTags(file, trailing);
        rewrite.leading = TagBuilder(wanted, 4, true, true, lyricsCount).created(others ? *others : trailing);
        rewrite.isChanged = true;
    }
}

}  // namespace ctaglib
