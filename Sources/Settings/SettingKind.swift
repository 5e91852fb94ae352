/// What values a setting takes: how they are read from text and shown.
public struct SettingKind<Value: Sendable>: Sendable {
    /// What stands for the value in help texts; nil for a switch, which has none on the command line.
    let placeholder: String?
    /// Whether a value is a path: relative to the settings file where it stands in one, to the working folder elsewhere.
    var isPath = false
    /// Reads a value. The message says what is taken instead, without naming the setting.
    let read: @Sendable (String) throws(SettingValueError) -> Value
    /// The value as it would be written; nil for none.
    let show: @Sendable (Value) -> String?

    /// The same, or nothing.
    func optional() -> SettingKind<Value?> {
        SettingKind<Value?>(
            placeholder: placeholder, isPath: isPath,
            read: { text throws(SettingValueError) in try read(text) },
            show: { $0.flatMap(show) })
    }
}

/// Why a text is no value of a setting: what the setting takes instead.
struct SettingValueError: Error {
    let message: String
}

extension SettingKind<String> {
    /// Any text but an empty one.
    public static var text: Self { text("TEXT") }

    /// A text of some characters at least, with a word of its own in help texts.
    public static func text(_ placeholder: String, minimumLength: Int = 1) -> Self {
        Self(
            placeholder: placeholder,
            read: { text throws(SettingValueError) in
                if text.isEmpty { throw SettingValueError(message: "takes a text, not an empty one") }
                if text.count < minimumLength {
                    throw SettingValueError(message: "takes \(minimumLength) characters or more")
                }
                if text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
                    throw SettingValueError(message: "takes a text without control characters")
                }
                return text
            }, show: { $0 })
    }

    /// The path of a folder.
    public static var folder: Self { path("DIR") }

    /// The path of a file.
    public static var file: Self { path("FILE") }

    private static func path(_ placeholder: String) -> Self {
        let text = text(placeholder)
        return Self(placeholder: placeholder, isPath: true, read: text.read, show: text.show)
    }
}

extension SettingKind<Int> {
    /// A whole number.
    public static func integer(_ range: ClosedRange<Int>) -> Self {
        Self(
            placeholder: "N",
            read: { text throws(SettingValueError) in
                guard let value = Int(text), range.contains(value) else {
                    throw SettingValueError(
                        message:
                            "takes a whole number from \(range.lowerBound) to \(range.upperBound), not \(text)"
                    )
                }
                return value
            }, show: { "\($0)" })
    }
}

extension SettingKind<Double> {
    /// A time in seconds.
    public static func seconds(_ range: ClosedRange<Double>) -> Self {
        Self(
            placeholder: "SECONDS",
            read: { text throws(SettingValueError) in
                guard let value = Double(text), range.contains(value) else {
                    throw SettingValueError(
                        message: "takes a number from \(range.lowerBound) to \(range.upperBound), not \(text)"
                    )
                }
                return value
            }, show: { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" })
    }
}

extension SettingKind<Bool> {
    /// On or off: `--name` and `--no-name` on the command line, `yes` and `no` elsewhere.
    public static var toggle: Self {
        Self(
            placeholder: nil,
            read: { text throws(SettingValueError) in
                switch text.lowercased() {
                case "yes", "true", "on", "1": return true
                case "no", "false", "off", "0": return false
                default: throw SettingValueError(message: "takes yes or no, not \(text)")
                }
            }, show: { $0 ? "yes" : "no" })
    }
}
