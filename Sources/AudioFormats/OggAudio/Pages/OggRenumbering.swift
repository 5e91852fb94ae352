/// New numbers for the pages of one link: for an edit of its headers that changes their number of pages.
public struct OggRenumbering: Sendable, Hashable {
    /// The stream.
    public let serial: UInt32
    /// By how much the numbers rise; wraps around, so that they can also fall.
    public let shift: UInt32

    /// Memberwise initializer.
    public init(serial: UInt32, shift: UInt32) {
        self.serial = serial
        self.shift = shift
    }

    /// A part of a page's header that changes: the page's number and checksum.
    public struct Patch: Sendable, Hashable {
        /// Offset in the file.
        public let offset: Int
        /// The new bytes.
        public let bytes: [UInt8]
    }

    /// Calls a closure with the patch of each page of the link, in order. Packets stay as they are; damaged pages are left alone, and
    /// so are the pages of other streams and links.
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - range: where the pages after the headers are.
    public func forEachPatch<Failure: Error>(
        _ bytes: RawSpan, in range: Range<Int>, _ body: (Patch) throws(Failure) -> Void
    ) throws(Failure) {
        var reader = OggPageReader(position: range.lowerBound)
        while let page = reader.next(bytes), page.end <= range.upperBound {
            // The next link begins with first pages.
            if page.isFirst { return }
            if page.serial == serial { try body(patch(page, bytes)) }
        }
    }

    private func patch(_ page: OggPage, _ bytes: RawSpan) -> Patch {
        let number = Self.littleEndian(page.sequence &+ shift)
        var crc = OggCRC()
        crc.update(bytes.extracting(page.start..<page.start + 18))
        let changed = number + [0, 0, 0, 0]
        crc.update(changed.span.bytes)
        crc.update(bytes.extracting(page.start + 26..<page.end))
        return Patch(offset: page.start + 18, bytes: number + Self.littleEndian(crc.value))
    }

    private static func littleEndian(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
