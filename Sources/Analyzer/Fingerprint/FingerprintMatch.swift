/// The best alignment of two fingerprints.
public struct FingerprintMatch: Sendable, Equatable {
    /// Words by which the second recording starts later than the first.
    public var offset: Int
    /// Number of words that both have at this alignment.
    public var overlap: Int
    /// Fraction of the bits that differ: a few per cent for two encodings, 0.35 to 0.5 for different recordings.
    public var difference: Double
    /// ``difference`` in the stretch of eight seconds where it is largest: an edit, a remix or another take differs in parts.
    public var largestDifference: Double

    /// Words in the stretches of ``largestDifference``.
    static let stretch = 64
    /// Largest ``difference`` of two encodings. Measured: at most 0.1 between 64 and 320 kbit/s.
    static let sameDifference = 0.15
    /// The largest difference within a stretch.
    static let sameLargestDifference = 0.28

    /// Whether both have the same notes at the same times, so that they may be encodings of one recording, of which up to some
    /// seconds may be missing at the ends. Versions with the same notes are separated by ``likeness(spectra:)``.
    public var hasSameNotes: Bool {
        overlap >= 24 && difference <= Self.sameDifference && largestDifference <= Self.sameLargestDifference
    }

    /// Whether two files have the same recording.
    public enum Likeness: Sendable { case same, perhaps, different }

    /// Returns whether both are encodings of the same recording.
    ///
    /// The limits lie between copies and near misses of 40 pieces (`Benchmarks/duplicates`): at 64 kbit/s the largest values are
    /// 0.33 and 0.9 dB, with an added beat the smallest are 0.17 and 1.2 dB. Between them and twice the mean or five times the
    /// percentile, both are found. Of 16 pieces, copies have at most 1.3 dB, and within an eighth of the bands 3.2 dB, but for some in
    /// Opus and one at 64 kbit/s. They exceed the original by at most 1.6 dB more in one direction, and with a softly added beat, this is
    /// at least 2.1 dB.
    /// - Parameter spectra: the difference of their spectra at this alignment; nil if these cannot be compared, because an
    ///   earlier version of the analysis measured them with another resolution.
    public func likeness(spectra: SpectraDifference?) -> Likeness {
        guard hasSameNotes else { return .different }
        guard let spectra else { return .perhaps }
        if spectra.mean <= 0.5, spectra.high <= 1.3, spectra.highest <= 3.2, spectra.oneSided <= 1.6 {
            return .same
        }
        return spectra.mean <= 1 && spectra.high <= 5 ? .perhaps : .different
    }

    /// Seconds by which the first recording starts before the second.
    public var offsetSeconds: Double { Double(offset) * AudioFingerprint.secondsPerWord }
}

extension AudioFingerprint {
    /// Compares with another fingerprint at all alignments.
    /// - Parameter longestShift: the most that one may start later than the other, in seconds.
    /// - Returns: the alignment at which the fewest bits differ; nil if one of them is too short.
    public func match(_ other: AudioFingerprint, longestShift: Double = 6) -> FingerprintMatch? {
        let most = Int((longestShift / Self.secondsPerWord).rounded(.up))
        var best: FingerprintMatch?
        for offset in -most...most {
            let (first, second) = (max(0, offset), max(0, -offset))
            let overlap = min(words.count - first, other.words.count - second)
            // Nearly all of the shorter one: what a long shift leaves over may be alike by chance.
            guard overlap >= max(8, min(words.count, other.words.count) - most) else { continue }
            let bits = differingBits(other, first, second, overlap)
            let difference = Double(bits) / Double(32 * overlap)
            if difference < best?.difference ?? 2 {
                best = FingerprintMatch(
                    offset: offset, overlap: overlap, difference: difference, largestDifference: 0)
            }
        }
        guard var best else { return nil }
        let (first, second) = (max(0, best.offset), max(0, -best.offset))
        let length = min(FingerprintMatch.stretch, best.overlap)
        for start in stride(from: 0, through: best.overlap - length, by: max(1, length / 2)) {
            let bits = differingBits(other, first + start, second + start, length)
            best.largestDifference = max(best.largestDifference, Double(bits) / Double(32 * length))
        }
        return best
    }

    private func differingBits(_ other: AudioFingerprint, _ first: Int, _ second: Int, _ count: Int) -> Int {
        words.withUnsafeBufferPointer { mine in
            other.words.withUnsafeBufferPointer { theirs in
                var bits = 0
                for i in 0..<count { bits &+= (mine[first &+ i] ^ theirs[second &+ i]).nonzeroBitCount }
                return bits
            }
        }
    }
}
