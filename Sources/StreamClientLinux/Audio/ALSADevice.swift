internal import CALSA
internal import StreamClient

/// An ALSA playback device: owns one handle. Used by one thread at a time.
final class ALSADevice {
    /// The sample formats that the device supports.
    let format: AudioFormat
    private let handle: OpaquePointer
    private let isFloat: Bool
    private var converted: [Int16] = []

    /// Opens a device and configures it for a format, or for the nearest one that it supports.
    /// - Parameter bufferSeconds: the length of its buffer.
    init(name: String, format: AudioFormat, bufferSeconds: Double) throws(PlaybackError) {
        var opened: OpaquePointer?
        let code = snd_pcm_open(&opened, name, SND_PCM_STREAM_PLAYBACK, 0)
        guard code >= 0, let opened else {
            throw PlaybackError(
                .outputFailed, "the sound device \(name) cannot be opened: \(Self.text(code))")
        }
        var result: Int32 = -1
        var channels = UInt32(0)
        var rate = UInt32(0)
        var takesFloat = true
        for isFloat in [true, false] where result < 0 {
            channels = UInt32(format.channelCount)
            rate = UInt32(format.sampleRate)
            var buffer = UInt32(bufferSeconds * 1_000_000)
            var period = buffer / 4
            takesFloat = isFloat
            result = calsa_set_up(opened, isFloat ? 1 : 0, &channels, &rate, &buffer, &period)
        }
        guard result >= 0 else {
            snd_pcm_close(opened)
            throw PlaybackError(
                .outputFailed,
                "the sound device \(name) takes neither floating point nor 16 bits: \(Self.text(result))"
            )
        }
        handle = opened
        isFloat = takesFloat
        self.format = AudioFormat(sampleRate: Int(rate), channelCount: Int(channels))
    }

    deinit { snd_pcm_close(handle) }

    /// Plays samples; returns when the device has accepted them.
    func write(_ samples: [Float]) throws(PlaybackError) {
        let failure: Int
        if isFloat {
            failure = samples.withUnsafeBytes { push($0, bytesPerSample: 4) }
        } else {
            converted.removeAll(keepingCapacity: true)
            for sample in samples { converted.append(Int16(sample: sample)) }
            failure = converted.withUnsafeBytes { push($0, bytesPerSample: 2) }
        }
        guard failure == 0 else {
            throw PlaybackError(.outputFailed, "the sound device has failed: \(Self.text(Int32(failure)))")
        }
    }

    /// - Returns: 0, or the library's error code.
    private func push(_ bytes: UnsafeRawBufferPointer, bytesPerSample: Int) -> Int {
        let frameBytes = format.channelCount * bytesPerSample
        var offset = 0
        var recoveries = 0
        while offset < bytes.count, let base = bytes.baseAddress {
            let count = (bytes.count - offset) / frameBytes
            guard count > 0 else { return 0 }
            let written = snd_pcm_writei(handle, base + offset, snd_pcm_uframes_t(count))
            if written < 0 {
                // The buffer ran empty, as it does after a pause, or the machine slept: restart.
                let code = snd_pcm_recover(handle, Int32(written), 1)
                recoveries += 1
                if code < 0 || recoveries > 10 { return Int(code < 0 ? Int(code) : Int(written)) }
                continue
            }
            offset += Int(written) * frameBytes
        }
        return 0
    }

    /// Seconds of sound that were accepted and have not been heard yet.
    var latencySeconds: Double {
        var frames = snd_pcm_sframes_t(0)
        guard snd_pcm_state(handle) == SND_PCM_STATE_RUNNING, snd_pcm_delay(handle, &frames) >= 0 else {
            return 0
        }
        return max(0, Double(frames)) / Double(format.sampleRate)
    }

    /// Waits until everything that was accepted has been heard.
    func drain() {
        snd_pcm_drain(handle)
        snd_pcm_prepare(handle)
    }

    private static func text(_ code: Int32) -> String {
        snd_strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
