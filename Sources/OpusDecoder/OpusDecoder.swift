internal import COpus

/// Decodes Opus packets to samples at 48 kHz: owns one libopus decoder.
///
/// It is fed with single packets and knows no container, so that the same decoder serves files and streams. Not thread-safe: each
/// worker owns its own.
package final class OpusDecoder {
    /// The samples of a packet: one buffer per channel, valid during the call.
    package typealias Samples = [UnsafeBufferPointer<Float>]

    /// Samples per channel of the longest packet: 120 ms.
    private static let longest = 5760

    private let decoder: OpaquePointer
    private let channelCount: Int
    private let interleaved: UnsafeMutableBufferPointer<Float>
    private let channels: [UnsafeMutableBufferPointer<Float>]

    /// Opens a decoder.
    /// - Parameters:
    ///   - streamCount: number of Opus streams in each packet.
    ///   - coupledCount: number of those that are stereo.
    ///   - mapping: the decoded channel of each output channel; 255 is silence.
    ///   - gain: the gain that is applied to the samples, in 1/256 dB: the output gain of the stream's header.
    /// - Throws: if libopus cannot be initialised.
    package init(
        streamCount: Int, coupledCount: Int, mapping: [UInt8], gain: Int
    ) throws(OpusDecoderError) {
        var status: Int32 = 0
        let created = mapping.withUnsafeBufferPointer { places in
            places.baseAddress.flatMap {
                opus_multistream_decoder_create(
                    48_000, Int32(mapping.count), Int32(streamCount), Int32(coupledCount), $0, &status)
            }
        }
        guard let created, status == OPUS_OK else {
            throw OpusDecoderError(description: "libopus cannot be initialised (status \(status))")
        }
        decoder = created
        channelCount = mapping.count
        interleaved = .allocate(capacity: Self.longest * mapping.count)
        interleaved.initialize(repeating: 0)
        channels = mapping.map { _ in
            let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: Self.longest)
            buffer.initialize(repeating: 0)
            return buffer
        }
        // Headers allow any 16-bit gain, as does the library.
        guard copus_set_gain(decoder, Int32(gain)) == OPUS_OK else {
            throw OpusDecoderError(description: "libopus rejects the output gain \(gain)")
        }
    }

    deinit {
        opus_multistream_decoder_destroy(decoder)
        interleaved.deallocate()
        for channel in channels { channel.deallocate() }
    }

    /// Decodes one whole packet.
    /// - Parameters:
    ///   - packet: the packet's bytes.
    ///   - body: receives the samples, full scale being 1; they may exceed it.
    /// - Returns: whether the packet could be decoded; if not, `body` is not called.
    package func decode(_ packet: RawSpan, _ body: (Samples) -> Void) -> Bool {
        guard let output = interleaved.baseAddress else { return false }
        let count = packet.withUnsafeBytes { bytes -> Int32 in
            // No bytes at all would make the library invent the samples of a lost packet.
            guard let start = bytes.bindMemory(to: UInt8.self).baseAddress, !bytes.isEmpty else { return 0 }
            return opus_multistream_decode_float(
                decoder, start, Int32(clamping: bytes.count), output, Int32(Self.longest), 0)
        }
        guard count > 0 else { return false }
        for (place, channel) in channels.enumerated() {
            var position = place
            for index in 0..<Int(count) {
                channel[index] = interleaved[position]
                position &+= channelCount
            }
        }
        body(channels.map { UnsafeBufferPointer(rebasing: $0[..<Int(count)]) })
        return true
    }

    /// Forgets the packets so far: for a new start at another place.
    package func reset() { _ = copus_reset(decoder) }
}
