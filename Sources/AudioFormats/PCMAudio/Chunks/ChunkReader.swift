/// Walks the chunks of a RIFF or an IFF file: each has a name, a size and content, padded to an even size.
struct ChunkReader {
    /// A chunk.
    struct Chunk {
        let name: FourCharacters
        /// Its content as far as the file has it.
        let content: Range<Int>
        /// The size that its header states.
        let statedSize: Int
    }

    /// Maximum number of chunks that are examined; a file may state any number.
    static let maximumCount = 10_000

    /// Whether sizes are big-endian, as in IFF.
    let isBigEndian: Bool
    /// A size that stands for an unknown one: the content extends to the end of the file.
    let openSize: Int?
    /// Sizes of 64 bits of chunks whose own fields are too small (RF64), by name.
    var largeSizes: [FourCharacters: Int] = [:]

    /// Returns the chunk whose header is at an offset; nil where the file ends.
    func chunk(_ bytes: RawSpan, at offset: Int) -> Chunk? {
        guard offset >= 0, offset <= bytes.byteCount - 8, let name = bytes.code(at: offset) else {
            return nil
        }
        var size = bytes.number(at: offset + 4, byteCount: 4, isBigEndian: isBigEndian)
        let start = offset + 8
        let rest = bytes.byteCount - start
        if size == openSize { size = largeSizes[name] ?? rest }
        return Chunk(name: name, content: start..<(start + min(size, rest)), statedSize: size)
    }

    /// Calls `body` with each chunk from an offset on, until it returns false.
    func forEach(_ bytes: RawSpan, from offset: Int, _ body: (Chunk) -> Bool) {
        var position = offset
        for _ in 0..<Self.maximumCount {
            guard let chunk = chunk(bytes, at: position), body(chunk) else { return }
            position = chunk.content.upperBound
            // A file may lack the padding byte: no name of a chunk starts with zero.
            if chunk.content.count & 1 != 0, position < bytes.byteCount,
                bytes.number(at: position, byteCount: 1, isBigEndian: true) == 0
            {
                position += 1
            }
        }
    }
}
