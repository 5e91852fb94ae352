/// Reads option values.
package enum OptionValue {
    /// Reads a whole number.
    /// - Throws: `UsageError` that names the option and the range.
    package static func integer(_ text: String, in range: ClosedRange<Int>, for name: String) throws -> Int {
        guard let value = Int(text), range.contains(value) else {
            throw UsageError(
                message:
                    "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound), not \(text)"
            )
        }
        return value
    }

    /// Reads a number.
    /// - Throws: `UsageError` that names the option and the range.
    package static func number(_ text: String, in range: ClosedRange<Double>, for name: String) throws
        -> Double
    {
        guard let value = Double(text), range.contains(value) else {
            throw UsageError(
                message:
                    "\(name) must be a number from \(range.lowerBound) to \(range.upperBound), not \(text)"
            )
        }
        return value
    }

    /// Reads a case of an enumeration by its raw value.
    /// - Throws: `UsageError` that lists the cases.
    package static func oneOf<Choice: RawRepresentable & CaseIterable>(
        _ text: String, for name: String
    ) throws -> Choice where Choice.RawValue == String {
        guard let choice = Choice(rawValue: text) else {
            let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError(message: "\(name) must be one of \(choices), not \(text)")
        }
        return choice
    }
}
