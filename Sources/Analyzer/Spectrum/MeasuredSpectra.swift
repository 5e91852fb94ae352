/// The visualizer frames of an analysis: rows that may partly be on disk, read block by block.
///
/// The values are those of ``VisualizerSpectra``. For a track of a few minutes all rows are in memory. For a longer one, if the
/// analyzer has a spool folder, completed blocks are moved to an unnamed file there, so that memory does not grow with the
/// track. If that file cannot be created or written, for instance on a full disk, the remaining rows stay in memory and no
/// frame is lost.
public struct MeasuredSpectra: Sendable, Equatable {
    /// Rows per second.
    public let framesPerSecond = VisualizerSpectra.standardFramesPerSecond
    /// Bands per row.
    public let bandCount = VisualizerSpectra.standardBandCount
    /// Number of levels, one byte each.
    public var levelCount: Int { spooledCount + rows.count }
    /// Number of rows.
    public var frameCount: Int { levelCount / bandCount }

    /// Size of a spooled block in bytes: whole rows.
    static let blockSize = 1 << 18
    /// Maximum size of a matrix kept in memory, in bytes: nine minutes of music.
    static let largestInMemory = 1 << 20

    /// The rows on disk, before `rows`.
    private let spool: SpectrumSpool?
    private(set) var spooledCount = 0
    private var isSpooling: Bool
    private var rows: [UInt8] = []
    private let expectedCount: Int

    /// Creates an empty matrix.
    /// - Parameters:
    ///   - expectedFrameCount: number of rows to reserve memory for.
    ///   - spoolFolder: folder for long matrices; nil keeps every matrix in memory.
    init(expectedFrameCount: Int, spoolFolder: String?) {
        let isLong = expectedFrameCount * VisualizerSpectra.standardBandCount > Self.largestInMemory
        self.init(
            expectedFrameCount: expectedFrameCount,
            spool: isLong ? spoolFolder.flatMap { SpectrumSpool(folder: $0) } : nil)
    }

    /// Creates an empty matrix.
    /// - Parameter spool: an empty file for its blocks.
    init(expectedFrameCount: Int, spool: SpectrumSpool?) {
        self.spool = spool
        expectedCount = expectedFrameCount * bandCount
        isSpooling = spool != nil
        rows.reserveCapacity(isSpooling ? Self.blockSize : expectedCount)
    }

    /// Creates a matrix from frames in memory.
    /// - Parameter frames: must have the standard frame rate and number of bands; otherwise the result is nil.
    public init?(_ frames: VisualizerSpectra) {
        guard frames.framesPerSecond == framesPerSecond, frames.bandCount == bandCount,
            frames.levels.count % bandCount == 0
        else { return nil }
        spool = nil
        isSpooling = false
        expectedCount = frames.levels.count
        rows = frames.levels
    }

    /// Appends a row. Must be called by a single owner: copies share the rows on disk.
    mutating func append(_ row: [UInt8]) {
        rows += row
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

    /// Calls a closure with all levels in order, a few hundred kilobytes at a time.
    /// - Throws: `AnalyzerError` `fileUnreadable` if the disk fails; errors of the closure.
    public func forEachBlock(_ body: ([UInt8]) throws -> Void) throws {
        if let spool {
            for start in stride(from: 0, to: spooledCount, by: Self.blockSize) {
                try body(spool.read(start..<min(start + Self.blockSize, spooledCount)))
            }
        }
        if !rows.isEmpty { try body(rows) }
    }

    /// Returns the whole matrix in memory.
    /// - Throws: `AnalyzerError` `fileUnreadable` if the disk fails.
    public func inMemory() throws -> VisualizerSpectra {
        var levels: [UInt8] = []
        levels.reserveCapacity(levelCount)
        try forEachBlock { levels += $0 }
        return VisualizerSpectra(framesPerSecond: framesPerSecond, bandCount: bandCount, levels: levels)
    }

    /// Compares the levels, wherever they are stored; false if they cannot be read.
    public static func == (one: MeasuredSpectra, other: MeasuredSpectra) -> Bool {
        guard one.levelCount == other.levelCount else { return false }
        guard one.spooledCount > 0 || other.spooledCount > 0 else { return one.rows == other.rows }
        guard let one = try? one.inMemory(), let other = try? other.inMemory() else { return false }
        return one == other
    }
}
