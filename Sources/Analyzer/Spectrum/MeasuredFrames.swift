/// Visualizer frames as an analysis hands them over: rows that may partly lie on the disk, to be read block by block.
///
/// The values are those of ``VisualizerFrames``. Of a track of some minutes all rows are in memory. Of a longer one,
/// where the analyzer was given a folder for it, finished blocks go into a nameless file there, so that memory does not
/// grow with the track. When that file cannot be made or written, on a full disk for instance, the rows from there on
/// stay in memory: it costs memory then, and no frame is lost.
public struct MeasuredFrames: Sendable, Equatable {
    /// Rows a second.
    public let framesPerSecond = VisualizerFrames.standardFramesPerSecond
    /// Columns.
    public let bandCount = VisualizerFrames.standardBandCount
    /// How many levels there are, a byte each.
    public var levelCount: Int { spooledCount + rows.count }
    /// Rows.
    public var frameCount: Int { levelCount / bandCount }

    /// Bytes that go to the disk at a time: whole rows.
    static let blockSize = 1 << 18
    /// Matrices up to this many bytes stay in memory: nine minutes of music.
    static let largestInMemory = 1 << 20

    /// What lies on the disk, before `rows`.
    private let spool: FrameSpool?
    private(set) var spooledCount = 0
    private var isSpooling: Bool
    private var rows: [UInt8] = []
    private let expectedCount: Int

    /// An empty matrix.
    /// - Parameters:
    ///   - expectedFrameCount: rows to make room for.
    ///   - spoolFolder: where long matrices go; nil keeps every matrix in memory.
    init(expectedFrameCount: Int, spoolFolder: String?) {
        let isLong = expectedFrameCount * VisualizerFrames.standardBandCount > Self.largestInMemory
        self.init(
            expectedFrameCount: expectedFrameCount,
            spool: isLong ? spoolFolder.flatMap { FrameSpool(folder: $0) } : nil)
    }

    /// An empty matrix.
    /// - Parameter spool: an empty file for its blocks.
    init(expectedFrameCount: Int, spool: FrameSpool?) {
        self.spool = spool
        expectedCount = expectedFrameCount * bandCount
        isSpooling = spool != nil
        rows.reserveCapacity(isSpooling ? Self.blockSize : expectedCount)
    }

    /// Frames that are in memory.
    /// - Parameter frames: nil comes of any other number of rows a second or of columns than the standard one.
    public init?(_ frames: VisualizerFrames) {
        guard frames.framesPerSecond == framesPerSecond, frames.bandCount == bandCount,
            frames.levels.count % bandCount == 0
        else { return nil }
        spool = nil
        isSpooling = false
        expectedCount = frames.levels.count
        rows = frames.levels
    }

    /// Appends the row of one spectrum. To be called by one owner only: copies share what lies on the disk.
    mutating func append(power: UnsafeBufferPointer<Float>, by bands: BandLevels) {
        bands.append(power: power, to: &rows)
        if isSpooling, rows.count >= Self.blockSize { putAside() }
    }

    private mutating func putAside() {
        if let spool, spool.write(rows, at: spooledCount) {
            spooledCount += rows.count
            rows.removeAll(keepingCapacity: true)
        } else {
            isSpooling = false
            rows.reserveCapacity(expectedCount - spooledCount)
        }
    }

    /// Hands out all levels in order, some hundred kilobytes at a time.
    /// - Throws: `AnalyzerError` `fileUnreadable` when the disk fails; what the body throws.
    public func forEachBlock(_ body: ([UInt8]) throws -> Void) throws {
        if let spool {
            for start in stride(from: 0, to: spooledCount, by: Self.blockSize) {
                try body(spool.read(start..<min(start + Self.blockSize, spooledCount)))
            }
        }
        if !rows.isEmpty { try body(rows) }
    }

    /// The whole matrix in memory.
    /// - Throws: `AnalyzerError` `fileUnreadable` when the disk fails.
    public func inMemory() throws -> VisualizerFrames {
        var levels: [UInt8] = []
        levels.reserveCapacity(levelCount)
        try forEachBlock { levels += $0 }
        return VisualizerFrames(framesPerSecond: framesPerSecond, bandCount: bandCount, levels: levels)
    }

    /// Whether the levels are the same, wherever they lie; false when they cannot be read.
    public static func == (one: MeasuredFrames, other: MeasuredFrames) -> Bool {
        guard one.levelCount == other.levelCount else { return false }
        guard one.spooledCount > 0 || other.spooledCount > 0 else { return one.rows == other.rows }
        guard let one = try? one.inMemory(), let other = try? other.inMemory() else { return false }
        return one == other
    }
}
