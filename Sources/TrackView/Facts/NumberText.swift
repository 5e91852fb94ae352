import Foundation

/// Formats numbers, the same in every locale; NaN and infinities are "n/a".
enum NumberText {
    /// The text for NaN and infinities.
    static let missing = "n/a"

    /// A time as `m:ss`, or `h:mm:ss` from an hour on, with a number of decimals of the second.
    static func clock(_ seconds: Double, decimals: Int = 3) -> String {
        guard seconds.isFinite, abs(seconds) < 1e9 else { return missing }
        let scale = pow(10, Double(decimals))
        let units = Int((abs(seconds) * scale).rounded())
        let whole = units / Int(scale)
        let sign = seconds < 0 && units > 0 ? "-" : ""
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        var text =
            sign + (hours > 0 ? "\(hours):" + padded(minutes, 2) : "\(minutes)") + ":" + padded(rest, 2)
        if decimals > 0 { text += "." + padded(units % Int(scale), decimals) }
        return text
    }

    /// A number with a fixed number of decimals and, if wanted, a plus sign.
    static func fixed(_ value: Double?, _ decimals: Int, signed: Bool = false) -> String {
        guard let value, value.isFinite, abs(value) < 1e9 else { return missing }
        let text = String(format: signed ? "%+.\(decimals)f" : "%.\(decimals)f", value)
        // Rounding leaves a minus before a zero.
        return text.hasPrefix("-") && text.allSatisfy({ "-0.".contains($0) })
            ? String(text.dropFirst()) : text
    }

    /// A number with its unit.
    static func fixed(_ value: Double?, _ decimals: Int, unit: String, signed: Bool = false) -> String {
        let text = fixed(value, decimals, signed: signed)
        return text == missing ? text : "\(text) \(unit)"
    }

    /// A whole number with its thousands set apart by commas.
    static func grouped(_ value: Int) -> String {
        let digits = String(value.magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return value < 0 ? "-" + text : text
    }

    /// A fraction as per cent.
    static func percent(_ fraction: Double) -> String { fixed(fraction * 100, 0, unit: "%") }

    private static func padded(_ value: Int, _ digits: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
