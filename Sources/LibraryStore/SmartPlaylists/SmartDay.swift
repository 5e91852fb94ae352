internal import Foundation

/// A day in UTC, counted from 1 January 1970.
struct SmartDay: Equatable {
    /// Milliseconds of a day.
    static let milliseconds = 86_400_000

    /// The number of the day.
    let number: Int

    /// The day of a point in time.
    init(_ date: Date) {
        number = Int((date.timeIntervalSince1970 / 86_400).rounded(.down))
    }

    /// The day written as `2024-05-31`; nil for any other text.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count == 10, parts.map(\.utf8.count) == [4, 2, 2],
            text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || (48...57).contains($0) }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
            (1...12).contains(month), day >= 1, day <= Self.length(of: month, in: year)
        else { return nil }
        // Years that start in March, so that the leap day is their last.
        let shifted = month > 2 ? year : year - 1
        let days = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400
        number = days + (153 * ((month + 9) % 12) + 2) / 5 + day - 1 - 719_468
    }

    /// The start of the day, in milliseconds since 1970.
    var start: Int { number * Self.milliseconds }
    /// The end of the day, in milliseconds since 1970.
    var end: Int { start + Self.milliseconds }

    private static func length(of month: Int, in year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }
}
