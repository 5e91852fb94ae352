internal import Glibc

/// Times as text in ISO 8601.
enum TimeText {
    /// Years of four digits.
    private static let range = -30_610_224_000.0...253_402_300_799.999

    /// Returns a time in UTC with milliseconds, such as `2026-03-01T12:00:00.500Z`. Lists have thousands of them: the C library writes
    /// them several times as fast as Foundation.
    static func text(_ secondsSince1970: Double) -> String {
        let time = min(max(secondsSince1970, range.lowerBound), range.upperBound)
        let milliseconds = Int((time * 1000).rounded())
        let fraction = ((milliseconds % 1000) + 1000) % 1000
        var seconds = time_t((milliseconds - fraction) / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        return String(unsafeUninitializedCapacity: 40) { buffer in
            buffer.withMemoryRebound(to: CChar.self) { text in
                var count = strftime(text.baseAddress, text.count, "%Y-%m-%dT%H:%M:%S.", &parts)
                for digit in [fraction / 100, fraction / 10 % 10, fraction % 10] {
                    text[count] = CChar(UInt8(ascii: "0") + UInt8(digit))
                    count += 1
                }
                text[count] = CChar(UInt8(ascii: "Z"))
                return count + 1
            }
        }
    }
}
