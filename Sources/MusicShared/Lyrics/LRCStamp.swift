/// A time in LRC, as it stands in a text.
struct LRCStamp: Equatable {
    /// What the parts of a time with two colons and no point mean: `[00:12:34]` is written for 12.34 seconds by some
    /// programs, and for 12 minutes and 34 seconds by others.
    enum ThreeParts {
        case hundredths, hours
    }

    /// Up to three numbers, the largest unit first.
    private var numbers: [Int]
    /// Digits behind the point as milliseconds; nil without a point.
    private var fraction: Int?
    /// How many bytes it takes, brackets included.
    private(set) var byteCount: Int

    /// Whether what it means depends on others of the text.
    var isAmbiguous: Bool { numbers.count == 3 && fraction == nil }
    /// The last of three parts.
    var lastPart: Int { numbers[numbers.count - 1] }
    /// Whether the first part is a single digit, as hours are written.
    private(set) var hasShortFirstPart = false

    /// Reads a time with its brackets at the beginning of some bytes; nil where there is none.
    ///
    /// `[mm:ss]`, `[mm:ss.x…]` with any number of digits behind the point or comma, `[mm:ss:xx]`, `[h:mm:ss]`, `[h:mm:ss.x…]`.
    init?(_ bytes: ArraySlice<UInt8>, open: UInt8 = UInt8(ascii: "["), close: UInt8 = UInt8(ascii: "]")) {
        guard bytes.first == open else { return nil }
        numbers = []
        var index = bytes.startIndex + 1
        while true {
            let start = index
            var number = 0
            while index < bytes.endIndex, let digit = Self.digit(bytes[index]) {
                // Nine digits are more than any time has.
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

    /// The time in milliseconds; nil for one beyond ``LyricsLimits/latestSeconds``.
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

    /// What times of three parts mean in a text, told by all of them: seconds never go beyond 59, hundredths soon do, and
    /// hours are written with one digit or many times.
    static func meaning(of stamps: [LRCStamp]) -> ThreeParts {
        let open = stamps.filter(\.isAmbiguous)
        guard !open.isEmpty, open.allSatisfy({ $0.lastPart < 60 }) else { return .hundredths }
        // A dozen hundredths all below 60 come by chance once in 500 texts.
        return open.allSatisfy(\.hasShortFirstPart) || open.count >= 12 ? .hours : .hundredths
    }

    private static func digit(_ byte: UInt8) -> Int? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int(byte - UInt8(ascii: "0")) : nil
    }
}
