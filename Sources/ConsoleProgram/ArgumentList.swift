/// The words of a command line, taken one by one by a command that knows which options it has.
///
/// Options may stand before, between and after the operands, as `--name value` or `--name=value`; `--` ends them.
public struct ArgumentList {
    private var words: [String]
    private var operands: [String] = []

    /// Takes the words after the program's name, or after the command.
    public init(_ words: [String]) { self.words = words }

    /// Takes all options, and keeps what is left as operands.
    /// - Parameters:
    ///   - flags: options without a value.
    ///   - valued: options with one.
    ///   - body: receives each option, with its value or an empty text.
    /// - Throws: `UsageError` for an unknown option, a missing value and what `body` throws.
    public mutating func takeOptions(
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
    /// - Parameters:
    ///   - allowed: how many there may be.
    ///   - what: what they are, for the message.
    /// - Throws: `UsageError` where there are fewer or more.
    public func operands(_ allowed: ClosedRange<Int>, named what: String) throws -> [String] {
        if operands.count < allowed.lowerBound { throw UsageError(message: "name \(what)") }
        if operands.count > allowed.upperBound {
            throw UsageError(message: "\(operands[allowed.upperBound]) is one too many: name \(what)")
        }
        return operands
    }
}
