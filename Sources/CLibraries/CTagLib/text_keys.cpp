#include "text_keys.hpp"

#include <unordered_map>

namespace ctaglib {

std::string lowercased(std::string text) {
    for (char &character : text) {
        if (character >= 'A' && character <= 'Z') character = static_cast<char>(character - 'A' + 'a');
    }
    return text;
}

std::optional<ctaglib_field> fieldOfKey(const std::string &key) {
    static const std::unordered_map<std::string, ctaglib_field> fields = {
        {"album artist", CTAGLIB_ALBUM_ARTIST},
        {"albumartist", CTAGLIB_ALBUM_ARTIST},
        {"compilation", CTAGLIB_COMPILATION},
        {"tcmp", CTAGLIB_COMPILATION},  // as ffmpeg writes it into ID3v2.4
        {"bpm", CTAGLIB_BPM},
        {"tbpm", CTAGLIB_BPM},
        {"initialkey", CTAGLIB_INITIAL_KEY},
        {"tkey", CTAGLIB_INITIAL_KEY},
        {"musicbrainz album id", CTAGLIB_MUSICBRAINZ_ALBUM_ID},
        {"musicbrainz_albumid", CTAGLIB_MUSICBRAINZ_ALBUM_ID},
        {"replaygain_track_gain", CTAGLIB_REPLAYGAIN_TRACK_GAIN},
        {"replaygain_track_peak", CTAGLIB_REPLAYGAIN_TRACK_PEAK},
        {"replaygain_album_gain", CTAGLIB_REPLAYGAIN_ALBUM_GAIN},
        {"replaygain_album_peak", CTAGLIB_REPLAYGAIN_ALBUM_PEAK},
        {"mixramp_start", CTAGLIB_MIXRAMP_START},
        {"mixramp_end", CTAGLIB_MIXRAMP_END},
        {"mixramp_ref", CTAGLIB_MIXRAMP_REFERENCE},
        {"isrc", CTAGLIB_ISRC},
        {"musicbrainz_trackid", CTAGLIB_MUSICBRAINZ_TRACK_ID},
        {"titlesort", CTAGLIB_TITLE_SORT},
        {"mood", CTAGLIB_MOOD},
        {"itunesadvisory", CTAGLIB_ADVISORY},
        {"lyricist", CTAGLIB_LYRICIST},
        {"conductor", CTAGLIB_CONDUCTOR},
        {"mixartist", CTAGLIB_REMIXER},
        {"remixer", CTAGLIB_REMIXER},
    };
    const auto found = fields.find(lowercased(key));
    if (found == fields.end()) return std::nullopt;
    return found->second;
}

}  // namespace ctaglib
