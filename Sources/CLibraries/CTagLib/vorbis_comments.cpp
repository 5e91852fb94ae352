#include "vorbis_comments.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>

#include "text_keys.hpp"
#include "trailing_tags.hpp"

namespace ctaglib {
namespace {

/// Steps of a gain of Opus in a dB, and its range: RFC 7845 §5.2.1.
constexpr double gainSteps = 256;
constexpr long gainMinimum = -32'768;
constexpr long gainMaximum = 32'767;
/// The loudness that ReplayGain 2 refers to, -18 LUFS, less that of Opus, -23 LUFS.
constexpr double referenceDifference = 5;

}  // namespace

CommentSubject subjectOfComment(const std::string &key, CommentDialect dialect) {
    using Role = CommentSubject::Role;
    static const std::unordered_map<std::string, CommentSubject> subjects = {
        {"title", {CTAGLIB_TITLE}},
        {"artist", {CTAGLIB_ARTIST}},
        {"album", {CTAGLIB_ALBUM}},
        {"tracknumber", {CTAGLIB_TRACK}},
        {"tracktotal", {CTAGLIB_TRACK, Role::total}},
        {"totaltracks", {CTAGLIB_TRACK, Role::total}},
        {"discnumber", {CTAGLIB_DISC}},
        {"disctotal", {CTAGLIB_DISC, Role::total}},
        {"totaldiscs", {CTAGLIB_DISC, Role::total}},
        {"date", {CTAGLIB_DATE}},
        {"year", {CTAGLIB_DATE, Role::fallback}},
        {"genre", {CTAGLIB_GENRE}},
        {"composer", {CTAGLIB_COMPOSER}},
        {"comment", {CTAGLIB_COMMENT}},
        {"description", {CTAGLIB_COMMENT, Role::fallback}},
        {"lyrics", {std::nullopt, Role::own, true}},
        {"unsyncedlyrics", {std::nullopt, Role::own, true}},
        {"unsynced lyrics", {std::nullopt, Role::own, true}},
        {"syncedlyrics", {std::nullopt, Role::own, true}},
    };
    const std::string name = lowercased(key);
    const auto found = subjects.find(name);
    if (found != subjects.end()) return found->second;
    CommentSubject subject{fieldOfKey(key)};
    if (dialect == CommentDialect::opus) {
        if (name == "r128_track_gain") return {CTAGLIB_REPLAYGAIN_TRACK_GAIN, Role::own, false, true};
        if (name == "r128_album_gain") return {CTAGLIB_REPLAYGAIN_ALBUM_GAIN, Role::own, false, true};
        // Used only without the gain of Opus.
        const bool isGain = subject.field == CTAGLIB_REPLAYGAIN_TRACK_GAIN
                            || subject.field == CTAGLIB_REPLAYGAIN_ALBUM_GAIN;
        if (isGain) subject.role = Role::fallback;
    }
    return subject;
}

std::string replayGainOfOpus(const std::string &text) {
    char *end = nullptr;
    const long value = std::strtol(text.c_str(), &end, 10);
    if (end == text.c_str() || value < gainMinimum || value > gainMaximum) return {};
    std::array<char, 32> result{};
    const double gain = static_cast<double>(value) / gainSteps + referenceDifference;
    std::snprintf(result.data(), result.size(), "%.2f dB", gain);
    return result.data();
}

std::string opusGain(const std::string &text) {
    char *end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || !(std::abs(value) < 1'000)) return {};
    const long steps = std::lround((value - referenceDifference) * gainSteps);
    return std::to_string(std::clamp(steps, gainMinimum, gainMaximum));
}

std::optional<size_t> forEachComment(
    const std::string &block, const std::function<bool(const CommentExtent &)> &visit) {
    // The vendor's name, the number of comments, and the comments; each text has its size in front.
    if (block.size() < 8) return std::nullopt;
    const size_t vendorSize = littleEndian(block, 0);
    if (vendorSize > block.size() - 8) return std::nullopt;
    const size_t count = littleEndian(block, 4 + vendorSize);
    size_t position = 8 + vendorSize;
    for (size_t comment = 0; comment < count; ++comment) {
        if (block.size() - position < 4) return std::nullopt;
        const size_t size = littleEndian(block, position);
        position += 4;
        if (size > block.size() - position) return std::nullopt;
        if (!visit({position, size})) return std::nullopt;
        position += size;
    }
    return position;
}

std::optional<size_t> keySize(const std::string &block, const CommentExtent &comment) {
    const auto start = block.begin() + static_cast<std::ptrdiff_t>(comment.start);
    const auto end = start + static_cast<std::ptrdiff_t>(comment.size);
    const auto sign = std::find(start, end, '=');
    if (sign == end) return std::nullopt;
    return static_cast<size_t>(sign - start);
}

std::string joinedComments(const std::string &block, const std::vector<std::string> &comments, size_t end) {
    std::string result = block.substr(0, 4 + littleEndian(block, 0));
    appendLittleEndian(result, comments.size());
    for (const std::string &comment : comments) {
        appendLittleEndian(result, comment.size());
        result += comment;
    }
    return result.append(block, end, std::string::npos);
}

void appendLittleEndian(std::string &bytes, size_t value) {
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
}

}  // namespace ctaglib
