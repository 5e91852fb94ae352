/// The places of all frames of a stream, packed: two to four bytes for a usual frame.
///
/// The kind of frame decides what an entry holds; a reader starts at every 64th frame.
public struct PackedIndex<Frame: IndexedFrame>: Sendable, Hashable {
    /// Every 64th frame is found directly.
    private static var interval: Int { 64 }

    /// Samples per channel of a usual frame.
    public let usualSamples: Int
    /// Number of frames.
    public private(set) var count = 0
    /// Total size of the frames in bytes.
    public private(set) var byteCount = 0
    /// Samples per channel that decoding all frames gives.
    public var sampleCount: Int { end.sample }
    /// The position in the file that the first frame's is stored relative to.
    public let start: Int
    /// End of the last frame in the file.
    public var endOffset: Int { end.offset }
    /// The packed frames, for storage.
    public private(set) var entries: [UInt8] = []
    private var marks: [IndexCursor] = []
    private var end: IndexCursor

    /// Creates an index without frames.
    /// - Parameters:
    ///   - usualSamples: samples per channel of a usual frame.
    ///   - start: the position that the first frame's is stored relative to.
    public init(usualSamples: Int, start: Int) {
        self.usualSamples = usualSamples
        self.start = start
        end = IndexCursor(offset: start)
    }

    /// Appends a frame.
    /// - Parameters:
    ///   - byteCount: its size.
    ///   - sampleCount: its samples per channel.
    ///   - endOffset: the end of its last byte in the file.
    ///   - pack: appends what ``IndexedFrame/next(_:of:usualSamples:)`` reads.
    public mutating func append(
        byteCount: Int, sampleCount: Int, endOffset: Int, pack: (inout [UInt8]) -> Void
    ) {
        if count % Self.interval == 0 {
            end.entry = entries.count
            marks.append(end)
        }
        pack(&entries)
        end.offset = endOffset
        end.sample += sampleCount
        count += 1
        self.byteCount += byteCount
    }

    /// Returns the frame at a position in the stream. Traps outside `0..<count`.
    public subscript(_ frame: Int) -> Frame {
        precondition((0..<count).contains(frame), "frame \(frame) is not in the index")
        var cursor = cursor(before: frame)
        return next(&cursor)
    }

    private func next(_ cursor: inout IndexCursor) -> Frame {
        Frame.next(&cursor, of: entries, usualSamples: usualSamples)
    }

    private func cursor(before frame: Int) -> IndexCursor {
        var cursor = marks[frame / Self.interval]
        for _ in 0..<frame % Self.interval { _ = next(&cursor) }
        return cursor
    }

    /// Calls a closure with each frame in order, until it returns false.
    /// - Parameter frames: the frames, by default all; must lie within `0..<count`.
    public func forEach<Failure: Error>(
        in frames: Range<Int>? = nil, _ body: (Frame) throws(Failure) -> Bool
    ) throws(Failure) {
        let frames = frames ?? 0..<count
        precondition(frames.clamped(to: 0..<count) == frames, "frames \(frames) are not in the index")
        guard !frames.isEmpty else { return }
        var cursor = cursor(before: frames.lowerBound)
        for _ in frames {
            guard try body(next(&cursor)) else { return }
        }
    }

    /// Returns the position of the frame that contains a sample, the first one that ends after it; nil outside the stream.
    public func frame(containing sample: Int) -> Int? {
        guard sample >= 0, sample < sampleCount else { return nil }
        // The last mark at or before the sample. Frames without samples may have the same place.
        var (low, high) = (0, marks.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if marks[middle].sample <= sample { low = middle } else { high = middle }
        }
        var found = low * Self.interval
        forEach(in: found..<count) { frame in
            guard frame.endSample <= sample else { return false }
            found += 1
            return true
        }
        return found
    }
}
