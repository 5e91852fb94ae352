/// The arguments of a command line, for a command that knows its options.
///
/// Options may come before, between and after the operands, as `--name value` or `--name=value`; `--` ends them.
package struct ArgumentList {
    private var words: [String]
    private var operands: [String] = []

    /// Creates a list of the arguments after the program's name, or after the command.
    package init(_ words: [String]) { self.words = words }

    /// Parses all options and keeps the remaining arguments as operands.
    /// - Parameters:
    ///   - flags: options without a value.
    ///   - valued: options with a value.
    ///   - body: receives each option with its value, or with an empty string.
    /// - Throws: `UsageError` for an unknown option or a missing value, and whatever `body` throws.
    package mutating func takeOptions(
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
                    throw UsageError(message: "option \(name) needs a value")
                }
                try body(name, value)
            } else if flags.contains(name) {
                throw UsageError(message: "option \(name) has no value")
            } else {
                throw UsageError(message: "unknown option \(name)")
            }
        }
        words = []
    }

    /// Returns the operands: the arguments that are not options.
    /// - Parameters:
    ///   - allowed: the permitted number of operands.
    ///   - what: their description, for the error message.
    /// - Throws: `UsageError` if there are fewer or more.
    package func operands(_ allowed: ClosedRange<Int>, named what: String) throws -> [String] {
        if operands.count < allowed.lowerBound {
            throw UsageError(message: "missing argument: give \(what)")
        }
        if operands.count > allowed.upperBound {
            throw UsageError(message: "unexpected argument '\(operands[allowed.upperBound])': give \(what)")
        }
        return operands
    }
}
