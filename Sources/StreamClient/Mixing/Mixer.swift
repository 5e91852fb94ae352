internal import MPEGAudio
internal import Foundation

/// Mixes tracks into the output, and applies short ramps where audio starts or stops abruptly.
///
/// The samples of a single track at unchanged level are output bit for bit.
struct Mixer {
    let format: AudioFormat
    /// The volume factor set by the user, and the previous one to ramp from.
    private var volume: Float = 1
    private var volumeBefore: Float = 1
    /// Length of a ramp from or to silence, in samples.
    private let rampLength: Int
    /// Number of samples of the current fade-in ramp that have been output; nil if there is no ramp.
    private var rampPassed: Int?

    init(format: AudioFormat, rampSeconds: Double) {
        self.format = format
        rampLength = Int(rampSeconds * Double(format.sampleRate))
    }

    /// Starts a ramp from silence, because the following audio starts in the middle of a track.
    mutating func beginRamp() { if rampLength > 0 { rampPassed = 0 } }

    /// Changes the volume over the next block.
    mutating func setVolume(_ value: Float) { volume = value }

    /// Adds `count` samples per channel of a track to a block.
    static func add(
        _ voice: Voice, count: Int, to block: inout [Float], at offset: Int, format: AudioFormat
    ) {
        guard voice.decoder != nil, count > 0 else { return }
        let base = offset * format.channelCount
        let start = StreamTime.seconds(voice.position)
        let end = start + 1.1 * Double(count) / Double(format.sampleRate)
        let active = voice.envelopes.filter { !$0.isIdle(from: start, to: end) }
        voice.shelves.removeAll { $0.isOver(at: start) }
        guard active.isEmpty, voice.shelves.allSatisfy({ $0.isIdle(upTo: end) }) else {
            let samples = changed(voice, count, active, format)
            for i in 0..<samples.count { block[base + i] += samples[i] }
            return
        }
        let gain = voice.gain
        voice.take(count) { samples in
            block.withUnsafeMutableBufferPointer { block in
                if gain == 1 {
                    for i in 0..<samples.count { block[base + i] += samples[i] }
                } else {
                    for i in 0..<samples.count { block[base + i] += samples[i] * gain }
                }
            }
        }
    }

    /// Takes samples of a track whose level or bass changes.
    private static func changed(
        _ voice: Voice, _ count: Int, _ envelopes: [Envelope], _ format: AudioFormat
    ) -> [Float] {
        let positions = voice.positions(count, format: format)
        var samples: [Float] = []
        voice.take(count) { samples = Array($0) }
        for (i, seconds) in positions.enumerated() {
            let factor = voice.gain * Float(envelopes.reduce(1) { $0 * $1.gain(atSeconds: seconds) })
            for place in i * format.channelCount..<(i + 1) * format.channelCount { samples[place] *= factor }
        }
        for place in voice.shelves.indices {
            voice.shelves[place].apply(to: &samples, format: format, at: positions)
        }
        return samples
    }

    /// Applies volume and ramps to a whole block.
    /// - Parameter endsInSilence: whether the block is followed by silence.
    mutating func finish(_ block: inout [Float], endsInSilence: Bool) {
        let channels = format.channelCount
        let count = block.count / channels
        guard count > 0 else { return }
        if volume != 1 || volumeBefore != 1 {
            for i in 0..<count {
                let share = Float(i + 1) / Float(count)
                let factor = volumeBefore + (volume - volumeBefore) * share
                for channel in 0..<channels { block[i * channels + channel] *= factor }
            }
            volumeBefore = volume
        }
        if var passed = rampPassed {
            for i in 0..<count where passed < rampLength {
                let factor = ramp(Double(passed) / Double(rampLength))
                for channel in 0..<channels { block[i * channels + channel] *= factor }
                passed += 1
            }
            rampPassed = passed < rampLength ? passed : nil
        }
        if endsInSilence, rampLength > 0 {
            let length = min(rampLength, count)
            for i in 0..<length {
                let factor = ramp(Double(length - 1 - i) / Double(length))
                let place = count - length + i
                for channel in 0..<channels { block[place * channels + channel] *= factor }
            }
        }
    }

    /// Returns the half-cosine ramp value for a share of 0…1.
    private func ramp(_ share: Double) -> Float { Float(0.5 - 0.5 * cos(.pi * share)) }
}
