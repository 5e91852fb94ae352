import Foundation

/// Evidence of the key from the frames of a track: strengths of the twelve pitch classes, of the bass and of chords, over the
/// whole track, at its beginning and at its end.
///
/// Each of them is a vector of twelve values starting from C; the other four lanes are 0. Memory use is fixed.
struct KeyEvidence {
    /// Strength of twelve pitch classes, starting from C, after tuning.
    typealias Chroma = SIMD16<Float>

    /// Frames at the beginning and at the end of the sound that are also collected separately: 6 s and 3 s.
    private static let beginningFrames = 12
    private static let endingFrames = 6
    /// A tone also counts, with a lower weight, for the tones of which it would be overtone 2, 3 and 4: the roots of chords it
    /// may belong to (after Gómez 2006, §3.3.3). This compensates for the fifths that overtones add to every note. Overtones 2
    /// and 4 are octaves: the same pitch class.
    private static let ownWeight: Float = 1.625
    private static let fifthWeight: Float = 0.25
    /// Steepness of the decision for a chord: a lead of 0.1 in correlation doubles its share.
    private static let chordContrast: Float = 8

    private(set) var tuning = TuningEstimate()
    /// Number of frames added.
    private(set) var frameCount = 0
    /// Total weight of tones added so far.
    private(set) var totalWeight: Float = 0

    private(set) var total = Chroma.zero
    private(set) var bass = Chroma.zero
    private var beginning = Chroma.zero
    private var beginningBass = Chroma.zero
    private(set) var majorChords = Chroma.zero
    private(set) var minorChords = Chroma.zero
    /// The last frames, as a ring.
    private var lastChromas = [Chroma](repeating: .zero, count: endingFrames)
    private var lastBasses = [Chroma](repeating: .zero, count: endingFrames)

    /// Adds the tones of the next frame that contains sound.
    /// - Parameter bass: MIDI number of its lowest tone, if that is low and strong.
    mutating func add(_ tones: [Tone], bass bassPitch: Float?) {
        tuning.add(tones)
        var chroma = Chroma.zero
        for tone in tones {
            Self.add(tone.pitch - tuning.semitones, weight: tone.weight, to: &chroma)
            totalWeight += tone.weight
        }
        var bassChroma = Chroma.zero
        if let bassPitch { Self.add(bassPitch - tuning.semitones, weight: 1, to: &bassChroma) }
        total += chroma
        bass += bassChroma
        if frameCount < Self.beginningFrames {
            beginning += chroma
            beginningBass += bassChroma
        }
        lastChromas[frameCount % Self.endingFrames] = chroma
        lastBasses[frameCount % Self.endingFrames] = bassChroma
        addChords(of: chroma)
        frameCount += 1
    }

    /// The vectors in the order of ``KeyModel``'s weights.
    var vectors: [Chroma] {
        [
            total, bass, beginning, beginningBass, lastChromas.reduce(.zero, +), lastBasses.reduce(.zero, +),
            majorChords, minorChords,
        ]
    }

    /// The pitch classes of the frame that was added last.
    var latest: Chroma {
        frameCount > 0 ? lastChromas[(frameCount - 1) % Self.endingFrames] : .zero
    }

    /// The pitch class of the bass of the frame that was added last, 0…11; nil without a bass.
    var latestBass: Int? {
        guard frameCount > 0 else { return nil }
        let bass = lastBasses[(frameCount - 1) % Self.endingFrames]
        return (0..<12).filter { bass[$0] > 0 }.max { bass[$0] < bass[$1] }
    }

    /// Adds a tone. It counts less the further it is from its semitone, by a squared cosine that reaches zero halfway between
    /// two.
    private static func add(_ pitch: Float, weight: Float, to chroma: inout Chroma) {
        let nearest = pitch.rounded()
        let closeness = cos(Float.pi * (pitch - nearest))
        let strength = weight * closeness * closeness
        let place = ((Int(nearest) % 12) + 12) % 12
        chroma[place] += ownWeight * strength
        chroma[(place + 5) % 12] += fifthWeight * strength
    }

    private mutating func addChords(of chroma: Chroma) {
        guard let chords = Self.chords(of: chroma) else { return }
        majorChords += chords.major
        minorChords += chords.minor
    }

    /// Divides a frame among the 24 triads by their correlation with it; returns their shares by root, nil for an even frame.
    static func chords(of chroma: Chroma) -> (major: Chroma, minor: Chroma)? {
        let mean = chroma.sum() / 12
        let spread = (chroma * chroma).sum() - 12 * mean * mean
        guard spread > 0 else { return nil }
        // A triad has a mean of 1/4 and a sum of squares about it of 9/4.
        let scale = chordContrast / (spread * 2.25).squareRoot()
        var major = Chroma.zero
        var minor = Chroma.zero
        for root in 0..<12 {
            let outer = chroma[root] + chroma[(root + 7) % 12] - 3 * mean
            major[root] = exp(scale * (outer + chroma[(root + 4) % 12]))
            minor[root] = exp(scale * (outer + chroma[(root + 3) % 12]))
        }
        let sum = major.sum() + minor.sum()
        return (major / sum, minor / sum)
    }
}
