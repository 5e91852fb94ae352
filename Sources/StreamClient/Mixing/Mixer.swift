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
        guard let decoder = voice.decoder else { return }
        let rate = Double(format.sampleRate)
        let start = Double(decoder.position) / Double(StreamTime.ticksPerSecond)
        let end = start + Double(count) / rate
        let active = voice.envelopes.filter { !$0.isIdle(from: start, to: end) }
        let gain = voice.gain
        let channels = format.channelCount
        decoder.take(count) { samples in
            block.withUnsafeMutableBufferPointer { block in
                let base = offset * channels
                if active.isEmpty {
                    if gain == 1 {
                        for i in 0..<samples.count { block[base + i] += samples[i] }
                    } else {
                        for i in 0..<samples.count { block[base + i] += samples[i] * gain }
                    }
                    return
                }
                for i in 0..<count {
                    let seconds = start + Double(i) / rate
                    let factor = gain * Float(active.reduce(1) { $0 * $1.gain(atSeconds: seconds) })
                    for channel in 0..<channels {
                        block[base + i * channels + channel] += samples[i * channels + channel] * factor
                    }
                }
            }
        }
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
