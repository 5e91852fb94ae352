#include "base64.hpp"

#include <array>
#include <cstdint>

namespace ctaglib {
namespace {

constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr uint8_t invalid = 255;

std::array<uint8_t, 256> valuesOfDigits() {
    std::array<uint8_t, 256> values{};
    values.fill(invalid);
    for (uint8_t value = 0; value < 64; ++value) values[static_cast<unsigned char>(digits[value])] = value;
    return values;
}

bool isSpace(char character) {
    return character == ' ' || character == '\n' || character == '\r' || character == '\t';
}

}  // namespace

std::string toBase64(const std::string &bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (size_t position = 0; position < bytes.size(); position += 3) {
        uint32_t word = 0;
        for (size_t place = 0; place < 3; ++place) {
            const size_t index = position + place;
            word = word << 8 | (index < bytes.size() ? static_cast<unsigned char>(bytes[index]) : 0);
        }
        const size_t present = bytes.size() - position;
        text += digits[word >> 18];
        text += digits[word >> 12 & 63];
        text += present > 1 ? digits[word >> 6 & 63] : '=';
        text += present > 2 ? digits[word & 63] : '=';
    }
    return text;
}

std::optional<std::string> fromBase64(const std::string &text, size_t start, size_t count) {
    static const std::array<uint8_t, 256> values = valuesOfDigits();
    std::string bytes;
    bytes.reserve(count / 4 * 3 + 3);
    uint32_t word = 0;
    int bits = 0;
    for (size_t index = start; index < start + count; ++index) {
        if (isSpace(text[index])) continue;
        if (text[index] == '=') break;
        const uint8_t value = values[static_cast<unsigned char>(text[index])];
        if (value == invalid) return std::nullopt;
        word = word << 6 | value;
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        bytes += static_cast<char>(word >> bits & 0xFF);
    }
    return bytes;
}

}  // namespace ctaglib
