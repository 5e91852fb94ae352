internal import Foundation

/// Dates are stored as whole milliseconds since 1970.
extension Date {
    var storedMilliseconds: Int { Int((timeIntervalSince1970 * 1_000).rounded()) }

    init(storedMilliseconds: Int) {
        self.init(timeIntervalSince1970: Double(storedMilliseconds) / 1_000)
    }
}
