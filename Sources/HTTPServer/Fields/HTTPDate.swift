/// A point in time in HTTP format: `Sun, 06 Nov 1994 08:49:37 GMT`, with a resolution of one second (RFC 9110 §5.6.7).
package struct HTTPDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Seconds since 1970-01-01 00:00:00 UTC.
    package let secondsSince1970: Int64

    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let longDays = [
        "Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday",
    ]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Creates a date from seconds since 1970-01-01 00:00:00 UTC.
    package init(secondsSince1970: Int64) { self.secondsSince1970 = secondsSince1970 }

    /// Parses one of the three formats that recipients must accept: IMF-fixdate, RFC 850 and asctime; nil otherwise.
    package init?(_ text: String) {
        let words = text.split(whereSeparator: { $0 == " " || $0 == "," || $0 == "-" }).map(String.init)
        if words.count == 6, words[5] == "GMT", let day = Int(words[1]), let year = Int(words[3]) {
            // A two-digit year more than 50 years in the future means the past century; all clocks are past 2020.
            let isLong = Self.longDays.contains(words[0])
            guard isLong ? words[3].count == 2 : Self.days.contains(words[0]) && words[3].count == 4 else {
                return nil
            }
            let fullYear = isLong ? (year >= 75 ? 1900 + year : 2000 + year) : year
            self.init(year: fullYear, month: words[2], day: day, time: words[4])
        } else if words.count == 5, Self.days.contains(words[0]), let day = Int(words[2]),
            let year = Int(words[4])
        {
            self.init(year: year, month: words[1], day: day, time: words[3])
        } else {
            return nil
        }
    }

    private init?(year: Int, month: String, day: Int, time: String) {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
        guard let month = Self.months.firstIndex(of: month), (1...31).contains(day),
            (1601...9999).contains(year), clock.count == 3, (0...23).contains(clock[0]),
            (0...59).contains(clock[1]), (0...60).contains(clock[2])
        else { return nil }
        let days = Self.daysSince1970(year: year, month: month + 1, day: day)
        secondsSince1970 = Int64(days * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2])
    }

    /// Days from 1970-01-01 to a date of the proleptic Gregorian calendar, counted in eras of 400 years starting in March.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The date in IMF-fixdate format.
    package var description: String {
        let total = Int(secondsSince1970)
        let day = (total >= 0 ? total : total - 86_399) / 86_400
        let second = total - day * 86_400
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let padding = String(repeating: "0", count: max(0, 4 - "\(year)".count))
        return
            "\(Self.days[((day % 7) + 7) % 7]), \(two(dayOfMonth)) \(Self.months[month - 1]) \(padding)\(year) "
            + "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60)) GMT"
    }

    /// Whether one date is before the other.
    package static func < (a: HTTPDate, b: HTTPDate) -> Bool { a.secondsSince1970 < b.secondsSince1970 }
}
