/// A range of bytes of a file, preceded by bytes in memory such as a tag.
package struct FileRegion: Sendable {
    /// The file.
    package let file: HTTPFile
    /// Start of the region in the file.
    package let offset: Int
    /// Number of bytes of the file.
    package let length: Int
    /// The bytes sent before those of the file.
    package let prefix: [UInt8]

    /// Creates a region; without offset and length, it covers the whole file.
    ///
    /// - Throws: ``HTTPServerError`` if it does not lie within the file.
    package init(_ file: HTTPFile, offset: Int = 0, length: Int? = nil, prefix: [UInt8] = [])
        throws(HTTPServerError)
    {
        let length = length ?? file.byteCount - offset
        guard offset >= 0, length >= 0, offset <= file.byteCount, length <= file.byteCount - offset else {
            throw HTTPServerError(
                .badFile, "\(length) bytes at offset \(offset) exceed its size of \(file.byteCount)",
                subject: file.path)
        }
        self.init(file: file, offset: offset, length: length, prefix: prefix)
    }

    private init(file: HTTPFile, offset: Int, length: Int, prefix: [UInt8]) {
        self.file = file
        self.offset = offset
        self.length = length
        self.prefix = prefix
    }

    /// Total number of bytes, including the prefix.
    package var byteCount: Int { prefix.count + length }

    /// Part of the region, with bounds relative to the first byte of the prefix. The bounds are clamped.
    package subscript(bounds: Range<Int>) -> FileRegion {
        let bounds = bounds.clamped(to: 0..<byteCount)
        let inPrefix = bounds.clamped(to: 0..<prefix.count)
        let lower = max(bounds.lowerBound, prefix.count)
        let upper = max(bounds.upperBound, prefix.count)
        return FileRegion(
            file: file, offset: offset + lower - prefix.count, length: upper - lower,
            prefix: inPrefix.isEmpty ? [] : Array(prefix[inPrefix]))
    }

    /// Reads bytes of the region, including its prefix, into `buffer`.
    func read(into buffer: UnsafeMutableRawBufferPointer, at position: Int) throws(HTTPServerError) -> Int {
        let count = min(buffer.count, byteCount - position)
        var filled = 0
        if position < prefix.count {
            filled = min(count, prefix.count - position)
            buffer.copyBytes(from: prefix[position..<(position + filled)])
        }
        guard filled < count else { return filled }
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<count])
        return filled + (try file.read(into: rest, at: offset + position + filled - prefix.count))
    }
}
