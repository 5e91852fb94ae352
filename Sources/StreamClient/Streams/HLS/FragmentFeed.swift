internal import FLACAudio

/// Extracts FLAC frames from fragments of an MP4 file that arrive in pieces: the contents of their `mdat` boxes (ISO/IEC 14496-12
/// §8.1.1) are frames one after the other.
struct FragmentFeed: Sendable {
    private static let longestHeader = 16

    /// The STREAMINFO block of the stream.
    let information: StreamInfo
    private var feed: FLACFeed
    private var header: [UInt8] = []
    /// Bytes of the current box that are still to come.
    private var remaining = 0
    private var isData = false

    init(_ information: StreamInfo) {
        self.information = information
        feed = FLACFeed(information)
    }

    /// Returns the STREAMINFO block in an initialization segment; nil if that is of another codec.
    static func information(in segment: [UInt8]) -> StreamInfo? {
        let name = Array("dfLa".utf8)
        guard segment.count > name.count,
            let place = (0...segment.count - name.count).first(where: { segment[$0...].starts(with: name) })
        else { return nil }
        // Version and flags of the box, and the header of the metadata block.
        let block = place + name.count + 4
        guard block + 4 + StreamInfo.byteCount <= segment.count, segment[block] & 0x7F == 0 else {
            return nil
        }
        return StreamInfo(Array(segment[(block + 4)..<(block + 4 + StreamInfo.byteCount)]))
    }

    var frameCount: Int { feed.frameCount }
    var skippedBytes: Int { feed.skippedBytes }

    mutating func append(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            if remaining == 0 {
                header.append(rest.removeFirst())
                beginBox()
                continue
            }
            let count = min(remaining, rest.count)
            if isData { feed.append(rest.prefix(count)) }
            rest = rest.dropFirst(count)
            remaining -= count
        }
    }

    /// Reads a box's header once it is complete.
    private mutating func beginBox() {
        guard header.count >= 8 else { return }
        func number(_ range: Range<Int>) -> Int { header[range].reduce(0) { $0 << 8 | Int($1) } }
        var size = number(0..<4)
        if size == 1 {
            // A size of 64 bits follows.
            guard header.count == Self.longestHeader else { return }
            size = number(9..<16)
        } else if size == 0 {
            // Up to the end of the segment.
            size = .max
        }
        isData = header[4..<8].elementsEqual("mdat".utf8)
        remaining = max(0, size - header.count)
        header = []
    }

    mutating func finish() { feed.finish() }

    mutating func next() -> FLACFeed.Frame? {
        while let unit = feed.next() {
            if case .frame(let frame) = unit { return frame }
        }
        return nil
    }
}
