import Foundation

/// Why the command line cannot be carried out.
struct UsageError: Error {
    let message: String
}

/// The words of a command line, taken one by one by a command that knows which options it has.
///
/// Options may stand before, between and after the operands, as `--name value` or `--name=value`; `--` ends them.
struct ArgumentList {
    private var words: [String]
    private var operands: [String] = []

    init(_ words: [String]) { self.words = words }

    /// Takes all options, and keeps what is left as operands.
    /// - Parameters:
    ///   - flags: options without a value.
    ///   - valued: options with one.
    ///   - body: receives each option, with its value or an empty text.
    /// - Throws: `UsageError` for an unknown option, a missing value and what `body` throws.
    mutating func takeOptions(
        flags: Set<String>, valued: Set<String>, _ body: (_ name: String, _ value: String) throws -> Void
    ) throws {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands.append(contentsOf: rest)
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            if flags.contains(name), parts.count == 1 {
                try body(name, "")
            } else if valued.contains(name) {
                guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
                    throw UsageError(message: "\(name) needs a value")
                }
                try body(name, value)
            } else if flags.contains(name) {
                throw UsageError(message: "\(name) takes no value")
            } else {
                throw UsageError(message: "there is no option \(name)")
            }
        }
        words = []
    }

    /// The operands: what is no option.
    /// - Parameter allowed: how many there may be.
    func operands(_ allowed: ClosedRange<Int>, named what: String) throws -> [String] {
        if operands.count < allowed.lowerBound { throw UsageError(message: "name \(what)") }
        if operands.count > allowed.upperBound {
            throw UsageError(message: "\(operands[allowed.upperBound]) is one too many: name \(what)")
        }
        return operands
    }
}

/// Reads option values.
enum OptionValue {
    static func integer(_ text: String, in range: ClosedRange<Int>, for name: String) throws -> Int {
        guard let value = Int(text), range.contains(value) else {
            throw UsageError(
                message:
                    "\(name) takes a whole number from \(range.lowerBound) to \(range.upperBound), not \(text)"
            )
        }
        return value
    }

    static func number(_ text: String, in range: ClosedRange<Double>, for name: String) throws -> Double {
        guard let value = Double(text), range.contains(value) else {
            throw UsageError(
                message: "\(name) takes a number from \(range.lowerBound) to \(range.upperBound), not \(text)"
            )
        }
        return value
    }

    static func oneOf<Choice: RawRepresentable & CaseIterable>(
        _ text: String, for name: String
    ) throws -> Choice where Choice.RawValue == String {
        guard let choice = Choice(rawValue: text) else {
            let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError(message: "\(name) takes one of \(choices), not \(text)")
        }
        return choice
    }
}
