internal import Foundation

/// Adds tracks up to what is heard, and rounds off the places at which sound begins and ends in their middle.
///
/// Samples of a single track whose level is left alone come out bit for bit.
struct Mixer {
    let format: AudioFormat
    /// Factor of the level that the listener chose, and the one that it is moving from.
    private var volume: Float = 1
    private var volumeBefore: Float = 1
    /// Samples that a ramp from or to silence lasts.
    private let rampLength: Int
    /// Samples of the present ramp from silence that have passed; nil without one.
    private var rampPassed: Int?

    init(format: AudioFormat, rampSeconds: Double) {
        self.format = format
        rampLength = Int(rampSeconds * Double(format.sampleRate))
    }

    /// What follows begins in the middle of sound: it rises from silence.
    mutating func beginRamp() { if rampLength > 0 { rampPassed = 0 } }

    /// Changes the level over the next samples.
    mutating func setVolume(_ value: Float) { volume = value }

    /// Adds `count` samples per channel of a track to a block.
    static func add(
        _ voice: Voice, count: Int, to block: inout [Float], at offset: Int, format: AudioFormat
    ) {
        guard let decoder = voice.decoder else { return }
        let rate = Double(format.sampleRate)
        let start = Double(decoder.position) / Double(14_112_000)
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

    /// Applies level and ramps to a whole block.
    /// - Parameter endsInSilence: whether nothing follows for a while.
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

    /// A half of a cosine, 0…1.
    private func ramp(_ share: Double) -> Float { Float(0.5 - 0.5 * cos(.pi * share)) }
}
