/// The type of a setting's values: how they are parsed and formatted.
package struct SettingKind<Value: Sendable>: Sendable {
    /// Placeholder for the value in help texts; nil for a switch, which has no value on the command line.
    let placeholder: String?
    /// Whether the value is a path. In a settings file, paths are relative to that file, otherwise to the working directory.
    var isPath = false
    /// Parses a value. The error message states what is valid, without the setting's name.
    let read: @Sendable (String) throws(SettingValueError) -> Value
    /// Formats a value as it would be written; nil for no value.
    let show: @Sendable (Value) -> String?

    /// Returns the same kind for an optional value.
    func optional() -> SettingKind<Value?> {
        SettingKind<Value?>(
            placeholder: placeholder, isPath: isPath,
            read: { text throws(SettingValueError) in try read(text) },
            show: { $0.flatMap(show) })
    }
}

/// The reason why a text is not a valid value.
struct SettingValueError: Error {
    let message: String
}

extension SettingKind<String> {
    /// Any non-empty text.
    package static var text: Self { text("TEXT") }

    /// A text with a minimum length and a custom placeholder.
    package static func text(_ placeholder: String, minimumLength: Int = 1) -> Self {
        Self(
            placeholder: placeholder,
            read: { text throws(SettingValueError) in
                if text.isEmpty { throw SettingValueError(message: "must not be empty") }
                if text.count < minimumLength {
                    throw SettingValueError(message: "must have at least \(minimumLength) characters")
                }
                if text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
                    throw SettingValueError(message: "must not contain control characters")
                }
                return text
            }, show: { $0 })
    }

    /// A folder path.
    package static var folder: Self { path("DIR") }

    /// A file path.
    package static var file: Self { path("FILE") }

    private static func path(_ placeholder: String) -> Self {
        let text = text(placeholder)
        return Self(placeholder: placeholder, isPath: true, read: text.read, show: text.show)
    }
}

extension SettingKind<Int> {
    /// An integer within a range.
    package static func integer(_ range: ClosedRange<Int>) -> Self {
        Self(
            placeholder: "N",
            read: { text throws(SettingValueError) in
                guard let value = Int(text), range.contains(value) else {
                    throw SettingValueError(
                        message:
                            "must be a whole number from \(range.lowerBound) to \(range.upperBound), not \(text)"
                    )
                }
                return value
            }, show: { "\($0)" })
    }
}

extension SettingKind<Double> {
    /// A number.
    package static func number(_ range: ClosedRange<Double>) -> Self {
        Self(
            placeholder: "N",
            read: { text throws(SettingValueError) in try value(text, in: range) }, show: text)
    }

    private static func value(
        _ text: String, in range: ClosedRange<Double>
    ) throws(SettingValueError) -> Double {
        guard let value = Double(text), range.contains(value) else {
            throw SettingValueError(
                message: "must be from \(range.lowerBound) to \(range.upperBound), not \(text)")
        }
        return value
    }

    private static func text(_ value: Double) -> String {
        value == value.rounded() ? "\(Int(value))" : "\(value)"
    }

    /// A duration in seconds.
    package static func seconds(_ range: ClosedRange<Double>) -> Self {
        Self(
            placeholder: "SECONDS",
            read: { text throws(SettingValueError) in try value(text, in: range) }, show: text)
    }
}

extension SettingKind<Bool> {
    /// A switch: `--name` and `--no-name` on the command line, `yes` and `no` elsewhere.
    package static var toggle: Self {
        Self(
            placeholder: nil,
            read: { text throws(SettingValueError) in
                switch text.lowercased() {
                case "yes", "true", "on", "1": return true
                case "no", "false", "off", "0": return false
                default: throw SettingValueError(message: "must be yes or no, not \(text)")
                }
            }, show: { $0 ? "yes" : "no" })
    }
}
