/// Features that distinguish beats from off-beats and bars from beats, frame by frame: the input of ``MetreNetwork``.
///
/// Sixteen values per frame in eight bits each, which the network sees relative to their mean and deviation over the track:
/// rises of the spectrum in seven bands (square roots), falls in two (ends of notes), levels in four, and the change of the
/// spectrum from the fifth of a second before to that after in three (new chords and bass notes, see ``HarmonicChange``).
struct BeatFeatures: Sendable {
    /// Number of bands that rises and levels are given for.
    static let bandCount = 7

    /// The values of each frame.
    var frames: [SIMD16<UInt8>] = []
    /// Levels of the previous frame.
    private var levels = SIMD8<Float>.zero

    /// Fixed-point scales: levels are 0…17 (octaves of power), square roots of rises up to 4.2.
    private static let levelScale: Float = 15
    private static let rootScale: Float = 60
    /// Lane of the first harmonic change.
    private static let harmonicLane = 13

    mutating func reserveCapacity(_ count: Int) { frames.reserveCapacity(count) }

    /// Appends a frame.
    ///
    /// - Parameters:
    ///   - rises: mean rise of a bin in each band since the previous frame, in octaves of power.
    ///   - levels: mean level of a bin in each band, likewise.
    ///   - harmonicChange: the harmonic change of three bands, which belongs to the frame ``HarmonicChange/delay`` earlier.
    mutating func append(rises: SIMD8<Float>, levels: SIMD8<Float>, harmonicChange: SIMD4<Float>) {
        let falls = rises - (levels - self.levels)
        self.levels = levels
        let roots = (rises.replacing(with: 0, where: rises .< 0)).squareRoot() * Self.rootScale
        let fall = SIMD2(falls[0] + falls[1] + falls[2], falls[3] + falls[4]) / SIMD2(3, 2)
        let fallRoots = fall.replacing(with: 0, where: fall .< 0).squareRoot() * Self.rootScale
        let groups =
            Self.levelScale
            * SIMD4(
                levels[0], (levels[1] + levels[2]) / 2, (levels[3] + levels[4]) / 2,
                (levels[5] + levels[6]) / 2)
        var values = SIMD16<Float>.zero
        values.lowHalf = roots
        values[7] = fallRoots[0]
        values[8] = fallRoots[1]
        for group in 0..<4 { values[9 + group] = groups[group] }
        frames.append(Self.bytes(values))
        guard frames.count > HarmonicChange.delay else { return }
        let changeRoots = harmonicChange.squareRoot() * Self.rootScale
        for band in 0..<3 {
            frames[frames.count - 1 - HarmonicChange.delay][Self.harmonicLane + band] = UInt8(
                min(255, changeRoots[band]))
        }
    }

    private static func bytes(_ values: SIMD16<Float>) -> SIMD16<UInt8> {
        SIMD16(
            lowHalf: SIMD8(lowHalf: bytes(values.lowHalf.lowHalf), highHalf: bytes(values.lowHalf.highHalf)),
            highHalf: SIMD8(
                lowHalf: bytes(values.highHalf.lowHalf), highHalf: bytes(values.highHalf.highHalf)))
    }

    @inline(__always)
    private static func bytes(_ values: SIMD4<Float>) -> SIMD4<UInt8> {
        let positive = values.replacing(with: 0, where: values .< 0)
        return SIMD4(truncatingIfNeeded: positive.replacing(with: 255, where: positive .> 255).integerParts)
    }
}
