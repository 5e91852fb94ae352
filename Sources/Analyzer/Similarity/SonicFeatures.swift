import Foundation

/// Statistics of a track's sound, collected from the rows of ``VisualizerSpectra`` as they are computed: the input of
/// ``SonicDescriptor`` and ``SoundCharacter``.
///
/// Rows are read up to 11 kHz, above which encoders cut off, as 30 bands of a quarter of an octave. Levels count relative to the
/// loudest band of their row or of the last seconds, so that the gain of a copy does not matter; silence before, after and
/// within the track is left out. Memory use is fixed.
struct SonicFeatures {
    /// Bands: pairs of the spectra's.
    static let bandCount = 30
    /// Cepstral coefficients, without the first, which is the level.
    static let coefficientCount = 16
    /// Groups of bands for fluctuations and onsets, of one and a half octaves each.
    static let groupCount = 6
    /// Number of values of ``vector``.
    static let count = 3 * coefficientCount + 6 + groupCount * modulationCount + 2 + groupCount + 2

    /// Level in dBFS of the loudest band, at and below which a row is silent.
    private static let silenceDB: Float = -60
    /// Range in dB below the loudest band of a row that counts for the timbre.
    private static let rowRangeDB: Float = 50
    /// Range in dB below the loudest recent level that counts for rhythm, and how fast that level sinks, in dB per row.
    private static let trackRangeDB: Float = 40
    private static let peakFallDB: Float = 0.02
    /// Silence within a track counts up to this number of rows: one second.
    private static let longestSilence = 30
    /// Number of non-silent rows for a descriptor: one second.
    private static let fewestRows = 30
    /// Coefficients whose covariances count.
    private static let covariedCount = 4
    /// Octaves of modulation frequencies: 0.23 to 15 Hz.
    private static let modulationCount = FluctuationPattern.octaveCount

    private static let decibelsPerLevel = Float(-VisualizerSpectra.floorDB / 255)

    private var isStarted = false
    private var pendingSilence = 0
    private var recentPeak: Float = 0
    private var bands = [Float](repeating: 0, count: bandCount)
    private var relative = [Float](repeating: 0, count: bandCount)
    private var previousRelative = [Float](repeating: 0, count: bandCount)
    private var hasPrevious = false
    private var previousCoefficients: SIMD16<Float>?

    private var timbre = TimbreSums()
    private var fluctuation = FluctuationPattern(groupCount: groupCount)
    private var rhythm = RhythmSums()
    private(set) var centroid = SpectralCentroid()
    private var soundingLevel = 0.0

    /// Adds the next row of the spectra.
    mutating func consume(_ row: UnsafeBufferPointer<UInt8>) {
        guard row.count >= 2 * Self.bandCount else { return }
        var peak = -Float.infinity
        for band in 0..<Self.bandCount {
            let sum = Float(row[2 * band]) + Float(row[2 * band + 1])
            let level = Float(VisualizerSpectra.floorDB) + sum * (Self.decibelsPerLevel / 2)
            bands[band] = level
            peak = max(peak, level)
        }
        guard peak > Self.silenceDB else {
            pendingSilence += isStarted ? 1 : 0
            return
        }
        isStarted = true
        addSilence()
        addTimbre(peak: peak)
        centroid.add(row.prefix(2 * Self.bandCount))
        recentPeak = max(peak, timbre.rowCount == 1 ? peak : recentPeak - Self.peakFallDB)
        var sum: Float = 0
        for band in 0..<Self.bandCount {
            relative[band] = max(bands[band] - recentPeak, -Self.trackRangeDB)
            sum += relative[band]
        }
        soundingLevel += Double(sum) / Double(Self.bandCount)
        addRhythm()
    }

    /// Counts silence now that sound follows it.
    private mutating func addSilence() {
        for _ in 0..<min(pendingSilence, Self.longestSilence) {
            for band in 0..<Self.bandCount { relative[band] = -Self.trackRangeDB }
            recentPeak -= Self.peakFallDB
            addRhythm()
        }
        pendingSilence = 0
    }

    private mutating func addTimbre(peak: Float) {
        let floor = peak - Self.rowRangeDB
        var coefficients = SIMD16<Float>.zero
        for band in 0..<Self.bandCount {
            coefficients += max(bands[band], floor) * Self.cosines[band]
        }
        timbre.add(coefficients, previous: previousCoefficients)
        previousCoefficients = coefficients
    }

    private mutating func addRhythm() {
        var levels = SIMD8<Float>.zero
        var rises = SIMD8<Float>.zero
        let width = Self.bandCount / Self.groupCount
        for group in 0..<Self.groupCount {
            var level: Float = 0
            var rise: Float = 0
            for band in group * width..<(group + 1) * width {
                level += relative[band]
                rise += max(0, relative[band] - previousRelative[band])
            }
            levels[group] = level / Float(width)
            rises[group] = rise / Float(width)
        }
        fluctuation.add(levels)
        rhythm.add(level: levels.sum() / Float(Self.groupCount), rises: hasPrevious ? rises : nil)
        swap(&relative, &previousRelative)
        hasPrevious = true
    }

    /// The rows of an orthonormal discrete cosine transform of type II, without the first coefficient: for each band its
    /// contribution to the coefficients.
    private static let cosines: [SIMD16<Float>] = (0..<bandCount).map { band in
        var column = SIMD16<Float>.zero
        for index in 0..<coefficientCount {
            let angle = Double.pi * Double(index + 1) * (Double(band) + 0.5) / Double(bandCount)
            column[index] = Float((2 / Double(bandCount)).squareRoot() * cos(angle))
        }
        return column
    }

    /// Average rise of the bands in dB per second.
    var activityDBPerSecond: Double {
        rhythm.meanRise * Double(VisualizerSpectra.standardFramesPerSecond)
    }

    /// The clarity of the pulse of the onsets; see ``PulseClarity``.
    var pulse: PulseClarity { rhythm.pulse }

    /// Whether there is enough sound to describe.
    var isSufficient: Bool { timbre.rowCount >= Self.fewestRows }

    /// All statistics, in the order in which ``SonicProjection`` begins; nil for less than a second of sound.
    mutating func vector() -> [Float]? {
        guard isSufficient else { return nil }
        var values = timbre.vector(covarying: Self.covariedCount)
        values += fluctuation.vector()
        values += rhythm.vector(soundingLevel: soundingLevel / Double(timbre.rowCount))
        return values
    }
}
