/// The change of the spectrum between the fifths of a second before and after a frame, in three bands up to 2.8 kHz: high where
/// chords and bass notes change, low where they are repeated.
///
/// A detection function of harmonic change, as in Harte, Sandler and Gasser, "Detecting Harmonic Change in Musical Audio"
/// (2006), here from bins instead of pitch classes.
struct HarmonicChange: Sendable {
    /// Length of each of the compared windows in frames.
    private static let window = 12
    /// Number of frames by which the result is late: it belongs to the first frame of the later window.
    static let delay = window - 1

    /// First block of four bins of each band, followed by the end of the last.
    private let blockEdges: [Int]
    /// The levels of the latest two windows, one row of blocks per frame, as a ring.
    private var rows: [SIMD4<Float>]
    private var row = 0
    /// Sums of the levels of the earlier and the later window.
    private var before: [SIMD4<Float>]
    private var after: [SIMD4<Float>]

    /// - Parameter blockEdges: first block of four bins of each of three bands and the end of the last, ascending.
    init(blockEdges: [Int]) {
        self.blockEdges = blockEdges
        let count = blockEdges.last ?? 0
        rows = [SIMD4<Float>](repeating: .zero, count: 2 * Self.window * count)
        before = [SIMD4<Float>](repeating: .zero, count: count)
        after = before
    }

    /// Appends the levels of a frame, and returns the mean absolute change of a bin in each band (the last lane is 0).
    mutating func append(_ levels: UnsafeBufferPointer<SIMD4<Float>>) -> SIMD4<Float> {
        let count = before.count
        let newest = row * count
        let middle = (row + Self.window) % (2 * Self.window) * count
        var change = SIMD4<Float>.zero
        for band in 0..<3 {
            var sum = SIMD4<Float>.zero
            for block in blockEdges[band]..<blockEdges[band + 1] {
                // The row of the newest frame is that of the oldest.
                before[block] += rows[middle + block] - rows[newest + block]
                after[block] += levels[block] - rows[middle + block]
                rows[newest + block] = levels[block]
                let difference = after[block] - before[block]
                sum += difference.replacing(with: -difference, where: difference .< 0)
            }
            let bins = Float(max(1, 4 * (blockEdges[band + 1] - blockEdges[band])))
            change[band] = sum.sum() / (bins * Float(Self.window))
        }
        row = (row + 1) % (2 * Self.window)
        return change
    }
}
