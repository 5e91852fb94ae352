/// Reads packed numbers and plain bytes of a stored index, which may be damaged, with bounds checks.
public struct PackedNumberReader: Sendable {
    /// The stored index.
    public let bytes: [UInt8]
    /// The next byte to read.
    public private(set) var position: Int

    /// - Parameters:
    ///   - bytes: the stored index.
    ///   - position: the first byte to read.
    public init(_ bytes: [UInt8], position: Int) {
        self.bytes = bytes
        self.position = position
    }

    /// Whether nothing is left to read.
    public var isAtEnd: Bool { position >= bytes.count }

    /// Returns the next number.
    /// - Throws: `malformedIndex` if it is cut off or out of bounds.
    public mutating func number(in bounds: ClosedRange<Int>) throws(AudioFormatError) -> Int {
        var number = 0
        var shift = 0
        while position < bytes.count, shift < 56 {
            let byte = bytes[position]
            position += 1
            number |= Int(byte & 0x7F) << shift
            shift += 7
            guard byte & 0x80 == 0 else { continue }
            guard bounds.contains(number) else { break }
            return number
        }
        throw failure("is truncated or contains an invalid number")
    }

    /// Returns the next so many bytes as they are.
    /// - Throws: `malformedIndex` if they are cut off.
    public mutating func array(_ count: Int) throws(AudioFormatError) -> [UInt8] {
        guard count <= bytes.count - position else { throw failure("is truncated") }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// Checks that everything was read.
    /// - Throws: `malformedIndex` if bytes are left.
    public func finish() throws(AudioFormatError) {
        guard isAtEnd else { throw failure("has surplus bytes") }
    }

    /// Returns the error for a problem that was read.
    /// - Parameter problem: completes the sentence "the stored frame index …".
    public func failure(_ problem: String) -> AudioFormatError {
        AudioFormatError(.malformedIndex, "the stored frame index \(problem)")
    }
}
