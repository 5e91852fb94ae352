#include "utf8.hpp"

#include <string_view>

namespace ctaglib {
namespace {

unsigned char byteAt(const std::string &text, size_t index) { return static_cast<unsigned char>(text[index]); }

size_t lengthByLead(unsigned char lead) {
    if (lead < 0x80) return 1;
    if (lead >= 0xC2 && lead < 0xE0) return 2;
    if (lead >= 0xE0 && lead < 0xF0) return 3;
    if (lead >= 0xF0 && lead < 0xF5) return 4;
    return 0;
}

}  // namespace

size_t sequenceLength(const std::string &text, size_t index) {
    const unsigned char lead = byteAt(text, index);
    const size_t length = lengthByLead(lead);
    if (length == 0 || index + length > text.size()) return 0;
    for (size_t i = 1; i < length; ++i) {
        if ((byteAt(text, index + i) & 0xC0) != 0x80) return 0;
    }
    if (length < 3) return length;
    // Unicode, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF.
    const unsigned char second = byteAt(text, index + 1);
    const bool isSound = !(lead == 0xE0 && second < 0xA0) && !(lead == 0xED && second > 0x9F)
                         && !(lead == 0xF0 && second < 0x90) && !(lead == 0xF4 && second > 0x8F);
    return isSound ? length : 0;
}

std::string soundUTF8(const std::string &text) {
    std::string sound;
    sound.reserve(text.size());
    size_t index = 0;
    while (index < text.size()) {
        const size_t length = sequenceLength(text, index);
        if (length == 0) {
            sound += "\xEF\xBF\xBD";
            ++index;
        } else {
            sound.append(text, index, length);
            index += length;
        }
    }
    return sound;
}

bool isBlank(const std::string &text) {
    return text.find_first_not_of(std::string_view(" \t\r\n\0", 5)) == std::string::npos;
}

}  // namespace ctaglib
