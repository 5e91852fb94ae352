#include "mp4_items.hpp"

#include <taglib/id3v1genres.h>
#include <taglib/tstring.h>

#include <algorithm>
#include <unordered_map>

#include "tag_contents.hpp"
#include "tag_edits.hpp"
#include "text_keys.hpp"

namespace ctaglib {
namespace {

constexpr const char *lyricsType = "\251lyr";
/// The owner of free-form items that programs other than iTunes write, too.
constexpr const char *freeFormOwner = "com.apple.iTunes";

std::optional<ctaglib_field> fieldOfType(const std::string &type) {
    static const std::unordered_map<std::string, ctaglib_field> fields = {
        {"\251nam", CTAGLIB_TITLE},   {"\251ART", CTAGLIB_ARTIST},   {"\251alb", CTAGLIB_ALBUM},
        {"aART", CTAGLIB_ALBUM_ARTIST}, {"trkn", CTAGLIB_TRACK},     {"disk", CTAGLIB_DISC},
        {"\251day", CTAGLIB_DATE},    {"\251gen", CTAGLIB_GENRE},    {"gnre", CTAGLIB_GENRE},
        {"\251wrt", CTAGLIB_COMPOSER}, {"\251cmt", CTAGLIB_COMMENT}, {"cpil", CTAGLIB_COMPILATION},
        {"tmpo", CTAGLIB_BPM},        {"sonm", CTAGLIB_TITLE_SORT},  {"rtng", CTAGLIB_ADVISORY},
        {"\251con", CTAGLIB_CONDUCTOR},
    };
    const auto found = fields.find(type);
    if (found == fields.end()) return std::nullopt;
    return found->second;
}

/// Returns the field of a free-form item by its name. MusicBrainz Picard's "Track Id" is that of the recording.
std::optional<ctaglib_field> fieldOfName(const std::string &name) {
    const std::string key = lowercased(name);
    if (key == "musicbrainz track id") return CTAGLIB_MUSICBRAINZ_TRACK_ID;
    return fieldOfKey(key);
}

ItemSubject subjectOf(const std::string &movie, const MP4Atom &item, const std::vector<MP4Atom> &parts) {
    ItemSubject subject;
    subject.isLyrics = item.type == lyricsType;
    subject.isCover = item.type == "covr";
    if (item.type != "----") {
        subject.field = fieldOfType(item.type);
        return subject;
    }
    const auto name = firstAtom(parts, "name");
    // Version and flags come first.
    if (!name || name->end - name->content < 4 || name->size() > 256) return subject;
    const auto start = static_cast<size_t>(name->content) + 4;
    subject.field = fieldOfName(movie.substr(start, static_cast<size_t>(name->end) - start));
    return subject;
}

/// Converts a number in a set: two unused bytes, number, total.
std::string setText(const std::string &value) {
    if (value.size() < 4) return {};
    const uint64_t number = numberIn(value, 2, 2);
    const uint64_t total = value.size() >= 6 ? numberIn(value, 4, 2) : 0;
    if (number == 0 && total == 0) return {};
    return std::to_string(number) + (total > 0 ? "/" + std::to_string(total) : "");
}

std::string genreText(const std::string &value) {
    // The number of ID3v1 and one more.
    const uint64_t number = value.size() == 2 ? numberIn(value, 0, 2) : 0;
    if (number == 0 || number > 255) return {};
    return TagLib::ID3v1::genre(static_cast<int>(number) - 1).to8Bit(true);
}

uint64_t number(const std::string &value) { return value.size() <= 8 ? numberIn(value, 0, value.size()) : 0; }

/// Returns the bytes of "3/12" for a number in a set.
std::string setBytes(const std::string &text, bool hasEnd) {
    const size_t slash = text.find('/');
    std::string bytes(2, '\0');
    for (const std::string &part :
         {text.substr(0, slash), slash == std::string::npos ? std::string{} : text.substr(slash + 1)}) {
        const bool isNumber = part.size() <= 5
                              && std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
        const unsigned long value = part.empty() || !isNumber ? 0 : std::stoul(part);
        if (!isNumber || value > 0xFFFF) throw UnsupportedTag{};
        bytes += bigEndianBytes(value, 2);
    }
    if (hasEnd) bytes.append(2, '\0');
    return bytes;
}

std::string makeFreeForm(const char *name, const std::string &text) {
    const std::string version(4, '\0');
    return makeAtom(
        "----", makeAtom("mean", version + freeFormOwner) + makeAtom("name", version + name)
                    + makeValue(MP4Value::utf8, text));
}

}  // namespace

std::vector<MP4Item> itemsOf(const std::string &movie, const MP4Atom &list, size_t *rest) {
    std::vector<MP4Item> items;
    for (const MP4Atom &atom :
         atoms(movie, static_cast<size_t>(list.content), static_cast<size_t>(list.end), rest)) {
        const auto parts = atoms(movie, static_cast<size_t>(atom.content), static_cast<size_t>(atom.end));
        MP4Item item{atom, {}, subjectOf(movie, atom, parts)};
        for (const MP4Atom &part : parts) {
            if (part.type == "data" && part.size() >= dataHeaderSize) item.values.push_back(part);
        }
        items.push_back(std::move(item));
    }
    return items;
}

std::string textOf(const std::string &movie, const MP4Item &item, const MP4Atom &value) {
    const auto start = static_cast<size_t>(value.start);
    if (value.size() - dataHeaderSize > maximumTextBytes) return {};
    const std::string content = movie.substr(start + dataHeaderSize, value.size() - dataHeaderSize);
    const auto kind = static_cast<MP4Value>(numberIn(movie, start + 8, 4) & 0xFF'FFFF);
    const std::string &type = item.atom.type;
    if (type == "trkn" || type == "disk") return setText(content);
    if (type == "gnre") return genreText(content);
    if (type == "cpil") return number(content) != 0 ? "1" : "";
    if (type == "tmpo") return number(content) != 0 ? std::to_string(number(content)) : "";
    // 4 is an older number for explicit.
    if (type == "rtng") return number(content) == 4 ? "1" : number(content) == 0 ? "" : std::to_string(number(content));
    if (kind == MP4Value::utf16) {
        return TagLib::String(TagLib::ByteVector(content.data(), static_cast<unsigned>(content.size())), TagLib::String::UTF16BE)
            .to8Bit(true);
    }
    if (kind == MP4Value::integer) return std::to_string(number(content));
    return kind == MP4Value::utf8 || kind == MP4Value::implicit ? content : std::string{};
}

std::string makeValue(MP4Value kind, const std::string &value) {
    return makeAtom("data", bigEndianBytes(static_cast<uint64_t>(kind), 4) + std::string(4, '\0') + value);
}

std::string makeTextItem(const char *type, const std::string &text) {
    return makeAtom(type, makeValue(MP4Value::utf8, text));
}

std::string makeItem(ctaglib_field field, const std::string &text) {
    switch (field) {
    case CTAGLIB_TITLE: return makeTextItem("\251nam", text);
    case CTAGLIB_ARTIST: return makeTextItem("\251ART", text);
    case CTAGLIB_ALBUM: return makeTextItem("\251alb", text);
    case CTAGLIB_ALBUM_ARTIST: return makeTextItem("aART", text);
    case CTAGLIB_TRACK: return makeAtom("trkn", makeValue(MP4Value::implicit, setBytes(text, true)));
    case CTAGLIB_DISC: return makeAtom("disk", makeValue(MP4Value::implicit, setBytes(text, false)));
    case CTAGLIB_DATE: return makeTextItem("\251day", text);
    case CTAGLIB_GENRE: return makeTextItem("\251gen", text);
    case CTAGLIB_COMPOSER: return makeTextItem("\251wrt", text);
    case CTAGLIB_COMMENT: return makeTextItem("\251cmt", text);
    case CTAGLIB_COMPILATION:
        return makeAtom("cpil", makeValue(MP4Value::integer, std::string(1, text == "1" ? '\1' : '\0')));
    case CTAGLIB_BPM: return makeAtom("tmpo", makeValue(MP4Value::integer, setBytes(text, false).substr(2, 2)));
    case CTAGLIB_INITIAL_KEY: return makeFreeForm("initialkey", text);
    case CTAGLIB_REPLAYGAIN_TRACK_GAIN: return makeFreeForm("replaygain_track_gain", text);
    case CTAGLIB_REPLAYGAIN_TRACK_PEAK: return makeFreeForm("replaygain_track_peak", text);
    case CTAGLIB_REPLAYGAIN_ALBUM_GAIN: return makeFreeForm("replaygain_album_gain", text);
    case CTAGLIB_REPLAYGAIN_ALBUM_PEAK: return makeFreeForm("replaygain_album_peak", text);
    default: throw UnsupportedTag{};
    }
}

}  // namespace ctaglib
