/// A timestamp in an LRC text.
struct LRCStamp: Equatable {
    /// Meaning of a time with two colons and no decimal point: `[00:12:34]` is 12.34 seconds in some programs and 12 minutes 34
    /// seconds in others.
    enum ThreeParts {
        case hundredths, hours
    }

    /// Up to three numbers, largest unit first.
    private var numbers: [Int]
    /// Fraction in milliseconds; nil without a decimal point.
    private var fraction: Int?
    /// Length in bytes, including brackets.
    private(set) var byteCount: Int

    /// Whether the meaning depends on the other timestamps in the text.
    var isAmbiguous: Bool { numbers.count == 3 && fraction == nil }
    /// The last of three parts.
    var lastPart: Int { numbers[numbers.count - 1] }
    /// Whether the first part is a single digit, as is usual for hours.
    private(set) var hasShortFirstPart = false

    /// Parses a timestamp with its brackets at the start of `bytes`; returns nil if it does not start with one.
    ///
    /// `[mm:ss]`, `[mm:ss.x…]` with any number of digits after the point or comma, `[mm:ss:xx]`, `[h:mm:ss]`, `[h:mm:ss.x…]`.
    init?(_ bytes: ArraySlice<UInt8>, open: UInt8 = UInt8(ascii: "["), close: UInt8 = UInt8(ascii: "]")) {
        guard bytes.first == open else { return nil }
        numbers = []
        var index = bytes.startIndex + 1
        while true {
            let start = index
            var number = 0
            while index < bytes.endIndex, let digit = Self.digit(bytes[index]) {
                // No valid time has more than nine digits.
                guard index - start < 9 else { return nil }
                number = number * 10 + digit
                index += 1
            }
            guard index > start, index < bytes.endIndex, numbers.count < 3 else { return nil }
            if numbers.isEmpty { hasShortFirstPart = index - start == 1 }
            numbers.append(number)
            if bytes[index] == UInt8(ascii: ":") {
                index += 1
                continue
            }
            break
        }
        guard numbers.count >= 2 else { return nil }
        if bytes[index] == UInt8(ascii: ".") || bytes[index] == UInt8(ascii: ",") {
            index += 1
            let start = index
            var value = 0
            var scale = 100
            while index < bytes.endIndex, let digit = Self.digit(bytes[index]) {
                guard index - start < 9 else { return nil }
                value += digit * scale
                scale /= 10
                index += 1
            }
            fraction = value
        }
        guard index < bytes.endIndex, bytes[index] == close else { return nil }
        byteCount = index + 1 - bytes.startIndex
        guard milliseconds(.hours) != nil, milliseconds(.hundredths) != nil else { return nil }
    }

    /// Returns the time in milliseconds; nil if it exceeds ``LyricsLimits/latestSeconds``.
    func milliseconds(_ threeParts: ThreeParts) -> Int? {
        let limit = Int(LyricsLimits.latestSeconds) * 1000
        let value: Int
        switch (numbers.count, fraction, threeParts) {
        case (2, let fraction, _): value = (numbers[0] * 60 + numbers[1]) * 1000 + (fraction ?? 0)
        case (_, nil, .hundredths):
            value = (numbers[0] * 60 + numbers[1]) * 1000 + (numbers[2] < 100 ? numbers[2] * 10 : numbers[2])
        default:
            value = ((numbers[0] * 60 + numbers[1]) * 60 + numbers[2]) * 1000 + (fraction ?? 0)
        }
        return value <= limit ? value : nil
    }

    /// Infers the meaning of three-part timestamps from all of them: seconds never exceed 59, hundredths soon do, and hours
    /// have a single digit or occur often.
    static func meaning(of stamps: [LRCStamp]) -> ThreeParts {
        let open = stamps.filter(\.isAmbiguous)
        guard !open.isEmpty, open.allSatisfy({ $0.lastPart < 60 }) else { return .hundredths }
        // Twelve hundredths that are all below 60 occur by chance once in 500 texts.
        return open.allSatisfy(\.hasShortFirstPart) || open.count >= 12 ? .hours : .hundredths
    }

    private static func digit(_ byte: UInt8) -> Int? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int(byte - UInt8(ascii: "0")) : nil
    }
}
