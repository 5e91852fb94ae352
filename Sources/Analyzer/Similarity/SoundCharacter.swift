import Foundation

/// How a track sounds, in numbers: its ``SonicDescriptor`` and what lists can select by.
public struct SoundCharacter: Sendable, Equatable {
    /// Activity, 0…1: how much the levels of all bands rise per second. 0 for a held tone; an average track has 0.5.
    public var energy: Double?
    /// Clarity of the pulse between 60 and 200 BPM, 0…1: 0 without a steady pulse, 1 if every onset repeats one beat later. Nil
    /// for tracks shorter than 9 s.
    public var danceability: Double?
    /// Average centre of the spectrum in Hz: bands count by amplitude, on a logarithmic scale of frequency.
    public var brightnessHz: Double?
    /// The descriptor; nil for less than a second of sound, and in analyses of versions up to 7.
    public var descriptor: SonicDescriptor?

    /// Memberwise initializer.
    public init(
        energy: Double? = nil, danceability: Double? = nil, brightnessHz: Double? = nil,
        descriptor: SonicDescriptor? = nil
    ) {
        self.energy = energy
        self.danceability = danceability
        self.brightnessHz = brightnessHz
        self.descriptor = descriptor
    }

    /// Activity of an average track in dB per second: the median of 271 pieces, mostly of games and rendered scores.
    static let averageActivity = 45.5

    /// Evaluates the statistics of a track; everything is nil for less than a second of sound.
    /// - Parameters:
    ///   - tones: `KeyDetector.statistics`; nil without any.
    ///   - rhythm: `PulsePeriodicity.statistics`; nil for short tracks.
    init(_ features: consuming SonicFeatures, tones: [Float]? = nil, rhythm: [Float]? = nil) {
        guard features.isSufficient else { return }
        energy = 1 - exp2(-features.activityDBPerSecond / Self.averageActivity)
        danceability = features.pulse.value
        brightnessHz = features.centroid.hertz
        descriptor = features.vector().flatMap { SonicDescriptor(sound: $0, tones: tones, rhythm: rhythm) }
    }

    /// The bytes of the descriptor, as stored.
    public var descriptorBytes: [UInt8]? {
        get { descriptor?.encoded }
        set { descriptor = newValue.flatMap { SonicDescriptor(encoded: $0) } }
    }
}
