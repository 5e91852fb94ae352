/// A place in a ``PackedIndex``: the state of a reader before a frame.
public struct IndexCursor: Sendable, Hashable {
    /// Position in the packed entries.
    var entry = 0
    /// End of the previous frame in the file.
    public var offset: Int
    /// End of the previous frame's samples.
    public var sample = 0

    init(offset: Int) { self.offset = offset }

    /// Returns the next number of entries that ``PackedNumbers`` wrote in this process; they are not checked.
    public mutating func number(_ entries: [UInt8]) -> Int {
        var number = 0
        var shift = 0
        while true {
            let byte = entries[entry]
            entry += 1
            number |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
    }
}
