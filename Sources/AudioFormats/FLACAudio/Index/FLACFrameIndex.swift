/// The positions of all frames of a stream, packed: two to four bytes for a usual frame.
public struct FLACFrameIndex: Sendable, Hashable {
    /// Every 64th frame is found directly.
    private static let interval = 64

    /// The state of a reader before a frame.
    private struct Mark: Sendable, Hashable {
        var entry = 0
        var offset = 0
        var sample = 0
    }

    /// Samples per channel in a usual frame.
    public let blockSize: Int
    /// Number of frames.
    public private(set) var count = 0
    /// Total samples per channel.
    public var sampleCount: Int { end.sample }
    /// Total size of the frames in bytes.
    public private(set) var byteCount = 0
    /// Offset of the first frame.
    private let start: Int
    private var marks: [Mark] = []
    private var end: Mark
    /// For each frame its size · 4 + flags; for frames that do not follow the previous one, or with another block size, the gap
    /// before it and its block size.
    private var entries: [UInt8] = []

    /// Creates an index without frames.
    /// - Parameters:
    ///   - blockSize: samples per channel in a usual frame.
    ///   - start: offset of the first frame.
    init(blockSize: Int, start: Int) {
        self.blockSize = blockSize
        self.start = start
        end = Mark(offset: start)
    }

    /// Appends a frame, which must start at or after the end of the last one.
    mutating func append(_ range: Range<Int>, blockSize: Int, isIntact: Bool) {
        let isUnusual = range.lowerBound != end.offset || blockSize != self.blockSize
        if count % Self.interval == 0 {
            end.entry = entries.count
            marks.append(end)
        }
        put(range.count << 2 | (isUnusual ? 2 : 0) | (isIntact ? 0 : 1))
        if isUnusual {
            put(range.lowerBound - end.offset)
            put(blockSize)
        }
        end.offset = range.upperBound
        end.sample += blockSize
        count += 1
        byteCount += range.count
    }

    private mutating func put(_ number: Int) {
        var rest = number
        while rest > 0x7F {
            entries.append(UInt8(rest & 0x7F | 0x80))
            rest >>= 7
        }
        entries.append(UInt8(rest))
    }

    /// Returns the frame at a position in the stream. Traps outside `0..<count`.
    public subscript(_ frame: Int) -> FLACFrame {
        precondition((0..<count).contains(frame), "frame \(frame) is not in the index")
        var cursor = marks[frame / Self.interval]
        var found = next(&cursor)
        for _ in 0..<frame % Self.interval { found = next(&cursor) }
        return found
    }

    private func next(_ cursor: inout Mark) -> FLACFrame {
        let head = number(&cursor.entry)
        var size = blockSize
        if head & 2 != 0 {
            cursor.offset += number(&cursor.entry)
            size = number(&cursor.entry)
        }
        let start = cursor.offset
        let sample = cursor.sample
        cursor.offset += head >> 2
        cursor.sample += size
        return FLACFrame(
            range: start..<cursor.offset, startSample: sample, blockSize: size, isIntact: head & 1 == 0)
    }

    private func number(_ place: inout Int) -> Int {
        var number = 0
        var shift = 0
        while true {
            let byte = entries[place]
            place += 1
            number |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
    }

    /// Calls a closure with each frame in order, until it returns false.
    /// - Parameter frames: the frames, by default all; must lie within `0..<count`.
    public func forEach<Failure: Error>(
        in frames: Range<Int>? = nil, _ body: (FLACFrame) throws(Failure) -> Bool
    ) throws(Failure) {
        let frames = frames ?? 0..<count
        precondition(frames.clamped(to: 0..<count) == frames, "frames \(frames) are not in the index")
        guard !frames.isEmpty else { return }
        var cursor = marks[frames.lowerBound / Self.interval]
        for _ in 0..<frames.lowerBound % Self.interval { _ = next(&cursor) }
        for _ in frames {
            guard try body(next(&cursor)) else { return }
        }
    }

    /// Returns the frame that contains a sample; nil for samples outside the stream.
    public func frame(containing sample: Int) -> Int? {
        guard sample >= 0, sample < sampleCount else { return nil }
        // The last mark at or before the sample.
        var (low, high) = (0, marks.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if marks[middle].sample <= sample { low = middle } else { high = middle }
        }
        var found = low * Self.interval
        forEach(in: found..<count) { frame in
            guard frame.startSample + frame.blockSize <= sample else { return false }
            found += 1
            return true
        }
        return found
    }
}
