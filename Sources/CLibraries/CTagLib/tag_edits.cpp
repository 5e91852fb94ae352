#include "tag_edits.hpp"

namespace ctaglib {
namespace {

/// Converts "03/012" to "3/12".
std::string withoutLeadingZeros(const std::string &text) {
    std::string result;
    bool isAtStart = true;
    for (const char character : text) {
        if (isAtStart && character == '0') continue;
        isAtStart = character == '/';
        result += character;
    }
    return result;
}

}  // namespace

bool states(const std::string &current, ctaglib_field field, const std::string &asked) {
    if (current == asked) return true;
    if (current.empty()) return false;
    if (field == CTAGLIB_TRACK || field == CTAGLIB_DISC) {
        return withoutLeadingZeros(current) == withoutLeadingZeros(asked);
    }
    // A full date of the same year is more specific than the year.
    return field == CTAGLIB_DATE && current.compare(0, asked.size() + 1, asked + "-") == 0;
}

}  // namespace ctaglib
