internal import CFLAC

/// Decodes FLAC frames to samples: owns one libFLAC decoder.
///
/// It is fed with single frames, so that it never searches for the next one. Not thread-safe: each worker owns its own.
package final class FLACDecoder {
    /// The samples of a frame: one buffer per channel, valid during the call.
    package typealias Samples = [UnsafeBufferPointer<Float>]

    private let decoder: UnsafeMutablePointer<FLAC__StreamDecoder>
    /// The bytes still to be read by the library.
    private var input = UnsafeRawBufferPointer(start: nil, count: 0)
    private var channels: [UnsafeMutableBufferPointer<Float>] = []
    private var capacity = 0
    /// Samples per channel of the decoded frame; nil if none has been decoded.
    private var decodedCount: Int?
    /// The integers of the decoded frame, if they are wanted.
    private var integers: [[Int32]]?
    private var hasFailed = false
    private var hasLostFrames = false

    /// Opens a decoder for one stream.
    /// - Parameter streamInfo: the contents of the stream's STREAMINFO block.
    /// - Throws: if libFLAC cannot be initialised.
    package init(streamInfo: [UInt8]) throws(FLACDecoderError) {
        guard let decoder = FLAC__stream_decoder_new() else {
            throw FLACDecoderError(description: "libFLAC: out of memory")
        }
        self.decoder = decoder
        FLAC__stream_decoder_set_md5_checking(decoder, 1)
        let status = FLAC__stream_decoder_init_stream(
            decoder, { _, buffer, count, client in FLACDecoder.from(client).read(buffer, count) }, nil, nil,
            nil,
            nil, { _, frame, samples, client in FLACDecoder.from(client).write(frame, samples) }, nil,
            { _, _, client in FLACDecoder.from(client).hasFailed = true },
            Unmanaged.passUnretained(self).toOpaque())
        guard status == FLAC__STREAM_DECODER_INIT_STATUS_OK else {
            throw FLACDecoderError(description: "libFLAC cannot be initialised (status \(status.rawValue))")
        }
        // "fLaC", and STREAMINFO as the last block.
        let head =
            Array("fLaC".utf8) + [0x80, 0, 0, UInt8(truncatingIfNeeded: streamInfo.count)] + streamInfo
        let isRead = head.withUnsafeBytes { bytes in
            input = bytes
            defer { input = UnsafeRawBufferPointer(start: nil, count: 0) }
            return FLAC__stream_decoder_process_until_end_of_metadata(decoder) != 0
        }
        guard isRead, FLAC__stream_decoder_get_state(decoder) == FLAC__STREAM_DECODER_SEARCH_FOR_FRAME_SYNC
        else {
            throw FLACDecoderError(description: "libFLAC rejects the STREAMINFO block")
        }
    }

    deinit {
        FLAC__stream_decoder_delete(decoder)
        for channel in channels { channel.deallocate() }
    }

    /// Decodes one whole frame.
    /// - Parameters:
    ///   - frame: the frame's bytes.
    ///   - body: receives the samples, full scale being 1.
    /// - Returns: whether the frame could be decoded; if not, `body` is not called.
    package func decode(_ frame: RawSpan, _ body: (Samples) -> Void) -> Bool {
        decodedCount = nil
        hasFailed = false
        let isProcessed = frame.withUnsafeBytes { bytes in
            input = bytes
            defer { input = UnsafeRawBufferPointer(start: nil, count: 0) }
            return FLAC__stream_decoder_process_single(decoder) != 0
        }
        guard isProcessed, !hasFailed, let count = decodedCount else {
            // Forgets what is left of the frame. The library then no longer sums up the samples either.
            FLAC__stream_decoder_flush(decoder)
            hasLostFrames = true
            return false
        }
        body(channels.map { UnsafeBufferPointer(rebasing: $0[..<count]) })
        return true
    }

    /// Decodes one whole frame to integers.
    /// - Returns: the samples of each channel, of as many bits as the stream states; nil if the frame cannot be decoded.
    package func integers(of frame: RawSpan) -> [[Int32]]? {
        integers = []
        defer { integers = nil }
        return decode(frame) { _ in } ? integers : nil
    }

    /// Ends the stream.
    /// - Returns: whether the samples match the MD5 in STREAMINFO; true as well if that states none, or if frames were lost.
    package func finish() -> Bool {
        FLAC__stream_decoder_finish(decoder) != 0 || hasLostFrames
    }

    // MARK: - Called by libFLAC

    private static func from(_ client: UnsafeMutableRawPointer?) -> FLACDecoder {
        // The pointer is that of the object which owns the decoder, and which is calling it.
        Unmanaged<FLACDecoder>.fromOpaque(client.unsafelyUnwrapped).takeUnretainedValue()
    }

    private func read(
        _ buffer: UnsafeMutablePointer<UInt8>?, _ count: UnsafeMutablePointer<Int>?
    ) -> FLAC__StreamDecoderReadStatus {
        guard let buffer, let count else { return FLAC__STREAM_DECODER_READ_STATUS_ABORT }
        let taken = min(count.pointee, input.count)
        count.pointee = taken
        guard taken > 0 else { return FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM }
        UnsafeMutableRawBufferPointer(start: buffer, count: taken).copyMemory(
            from: UnsafeRawBufferPointer(rebasing: input[..<taken]))
        input = UnsafeRawBufferPointer(rebasing: input[taken...])
        return FLAC__STREAM_DECODER_READ_STATUS_CONTINUE
    }

    private func write(
        _ frame: UnsafePointer<FLAC__Frame>?, _ samples: UnsafePointer<UnsafePointer<FLAC__int32>?>?
    ) -> FLAC__StreamDecoderWriteStatus {
        guard let header = frame?.pointee.header, let samples, decodedCount == nil else {
            return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT
        }
        let count = Int(header.blocksize)
        reserve(channels: Int(header.channels), count: count)
        let scale = 1 / Float(sign: .plus, exponent: Int(header.bits_per_sample) - 1, significand: 1)
        for (channel, output) in channels.enumerated() {
            guard let input = samples[channel], let output = output.baseAddress else { continue }
            Self.convert(
                UnsafeRawPointer(input), to: UnsafeMutableRawPointer(output), count: count, scale: scale)
        }
        if integers != nil {
            integers = (0..<Int(header.channels)).map { channel in
                samples[channel].map { Array(UnsafeBufferPointer(start: $0, count: count)) } ?? []
            }
        }
        decodedCount = count
        return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
    }

    private func reserve(channels count: Int, count samples: Int) {
        guard channels.count != count || capacity < samples else { return }
        for channel in channels { channel.deallocate() }
        capacity = max(samples, 4608)
        channels = (0..<count).map { _ in
            let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: capacity)
            buffer.initialize(repeating: 0)
            return buffer
        }
    }

    /// Converts integers to numbers, eight at a time.
    private static func convert(
        _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer, count: Int, scale: Float
    ) {
        var index = 0
        while index &+ 8 <= count {
            let integers = input.loadUnaligned(fromByteOffset: index &* 4, as: SIMD8<Int32>.self)
            output.storeBytes(
                of: SIMD8<Float>(integers) * scale, toByteOffset: index &* 4, as: SIMD8<Float>.self)
            index &+= 8
        }
        while index < count {
            let integer = input.load(fromByteOffset: index &* 4, as: Int32.self)
            output.storeBytes(of: Float(integer) * scale, toByteOffset: index &* 4, as: Float.self)
            index &+= 1
        }
    }
}
