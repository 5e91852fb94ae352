internal import CLAME

/// Encodes samples to MPEG layer III frames of a constant bit rate that are aligned with the samples: frame k, decoded in
/// its place by a plain decoder, gives samples from k × `samplesPerFrame` on.
///
/// An encoder and a decoder together delay sound by 576 + 529 samples. Silence in front makes that a whole number of frames,
/// and those frames are dropped. No frame needs bits of the frames before it (ISO/IEC 11172-3, bit reservoir), so that streams
/// can be cut anywhere. Owns one libmp3lame handle; not thread-safe.
package final class AlignedEncoder {
    /// Delay of a decoder in samples, 528 + 1 (`DECDELAY` in the source of libmp3lame).
    private static let decoderDelay = 529

    private let handle: lame_t
    private let channels: Int
    private let samplesPerFrame: Int
    /// The number of frames that are still to be dropped.
    private var surplus = 0
    private var pending: [UInt8] = []
    private var head = 0

    /// Opens an encoder.
    /// - Parameters:
    ///   - sampleRate: in Hz, one of MPEG's.
    ///   - channels: 1 or 2.
    ///   - bitRate: in kilobits per second, one of MPEG's at that rate.
    /// - Throws: ``EncoderError`` if the library does not support the parameters.
    package init(sampleRate: Int, channels: Int, bitRate: Int) throws(EncoderError) {
        guard (1...2).contains(channels), Self.bitRates(at: sampleRate).contains(bitRate) else {
            throw EncoderError("\(channels) channels of \(sampleRate) Hz cannot have \(bitRate) kbit/s")
        }
        guard let handle = lame_init() else { throw EncoderError("libmp3lame: out of memory") }
        self.handle = handle
        self.channels = channels
        lame_set_in_samplerate(handle, Int32(clamping: sampleRate))
        lame_set_out_samplerate(handle, Int32(clamping: sampleRate))
        lame_set_num_channels(handle, Int32(clamping: channels))
        lame_set_mode(handle, channels == 1 ? MONO : JOINT_STEREO)
        lame_set_VBR(handle, vbr_off)
        lame_set_brate(handle, Int32(clamping: bitRate))
        lame_set_quality(handle, 5)
        lame_set_disable_reservoir(handle, 1)
        lame_set_bWriteVbrTag(handle, 0)
        lame_set_write_id3tag_automatic(handle, 0)
        guard lame_init_params(handle) >= 0 else {
            samplesPerFrame = 1152
            throw EncoderError("libmp3lame cannot encode \(sampleRate) Hz at \(bitRate) kbit/s")
        }
        samplesPerFrame = Int(lame_get_framesize(handle))
        let delay = Int(lame_get_encoder_delay(handle)) + Self.decoderDelay
        surplus = (delay + samplesPerFrame - 1) / samplesPerFrame
        lead = surplus * samplesPerFrame - delay
    }

    /// Bit rates of layer III at a sampling rate (ISO/IEC 11172-3, 2.4.2.3, and 13818-3, 2.4.2.3).
    private static func bitRates(at sampleRate: Int) -> [Int] {
        switch sampleRate {
        case 32_000, 44_100, 48_000: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
        case 8000, 11_025, 12_000, 16_000, 22_050, 24_000:
            [8, 16, 24, 32, 40, 48, 56, 64] + (sampleRate < 16_000 ? [] : [80, 96, 112, 128, 144, 160])
        default: []
        }
    }

    /// Samples of silence in front.
    private var lead = 0

    deinit { lame_close(handle) }

    /// Encodes interleaved samples, full scale being 1, and passes on the frames that are complete.
    package func encode(
        _ samples: UnsafeBufferPointer<Float>, _ body: (ArraySlice<UInt8>) throws -> Void
    ) throws {
        if lead > 0 {
            let silence = [Float](repeating: 0, count: lead * channels)
            lead = 0
            try silence.withUnsafeBufferPointer { try encodeAll($0) }
        }
        try encodeAll(samples)
        try handOn(body)
    }

    /// Passes on the remaining frames after the last samples.
    package func finish(_ body: (ArraySlice<UInt8>) throws -> Void) throws {
        // Enough silence to push all of the sound out.
        let silence = [Float](repeating: 0, count: 3 * 1152 * channels)
        try silence.withUnsafeBufferPointer { try encodeAll($0) }
        var output = [UInt8](repeating: 0, count: 16_384)
        let count = lame_encode_flush(handle, &output, Int32(output.count))
        guard count >= 0 else { throw EncoderError("libmp3lame: error \(count)") }
        pending += output.prefix(Int(count))
        try handOn(body)
    }

    private func encodeAll(_ samples: UnsafeBufferPointer<Float>) throws(EncoderError) {
        guard let base = samples.baseAddress, samples.count >= channels else { return }
        let frames = samples.count / channels
        // The library's own upper limit.
        var output = [UInt8](repeating: 0, count: frames * 5 / 4 + 7200)
        let count =
            channels == 1
            ? lame_encode_buffer_ieee_float(
                handle, base, base, Int32(clamping: frames), &output, Int32(clamping: output.count))
            : lame_encode_buffer_interleaved_ieee_float(
                handle, base, Int32(clamping: frames), &output, Int32(clamping: output.count))
        guard count >= 0 else { throw EncoderError("libmp3lame: error \(count)") }
        pending += output.prefix(Int(count))
    }

    /// Passes on whole frames, except those that are dropped.
    private func handOn(_ body: (ArraySlice<UInt8>) throws -> Void) throws {
        while let length = frameLength(at: head), head + length <= pending.count {
            if surplus > 0 { surplus -= 1 } else { try body(pending[head..<head + length]) }
            head += length
        }
        pending.removeFirst(head)
        head = 0
    }

    /// Returns the length of the frame at an offset; the frames are our own, of a constant bit rate.
    private func frameLength(at offset: Int) -> Int? {
        guard offset + 4 <= pending.count else { return nil }
        let isPadded = pending[offset + 2] & 2 != 0
        let rate = Int(lame_get_out_samplerate(handle))
        return samplesPerFrame / 8 * Int(lame_get_brate(handle)) * 1000 / rate + (isPadded ? 1 : 0)
    }
}
