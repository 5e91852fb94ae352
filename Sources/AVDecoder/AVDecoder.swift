package import AudioChannels

#if LIBAVCODEC
internal import CAVCodec

/// Decodes access units of AAC and ALAC to samples: owns one decoder of libavcodec.
///
/// It is fed with single units and has no access to files or networks. Not thread-safe: each worker owns its own.
package final class AVDecoder {
    /// The samples of a unit: one buffer per channel, valid during the call.
    package typealias Samples = [UnsafeBufferPointer<Float>]

    /// Whether this build can decode.
    package static let isAvailable = true

    private var context: UnsafeMutablePointer<AVCodecContext>?
    private var frame: UnsafeMutablePointer<AVFrame>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    /// The loudspeakers of the last decoded unit.
    package private(set) var layout = ChannelLayout([])
    private var channels: [UnsafeMutableBufferPointer<Float>] = []
    private var capacity = 0

    /// Opens a decoder for one stream.
    /// - Throws: if libavcodec has no such decoder or rejects the configuration.
    package init(_ codec: AVDecoderCodec) throws(AVDecoderError) {
        // Damage is reported by results; libavcodec would print it.
        av_log_set_level(AV_LOG_QUIET)
        let (name, configuration) =
            switch codec {
            case .aac(let bytes): ("aac", bytes)
            // libavcodec expects the box: size, type, version and flags.
            case .alac(let bytes):
                (
                    "alac",
                    [0, 0, 0, UInt8(truncatingIfNeeded: 12 + bytes.count)] + Array("alac".utf8) + [
                        0, 0, 0, 0,
                    ] + bytes
                )
            }
        guard let decoder = avcodec_find_decoder_by_name(name) else {
            throw AVDecoderError(description: "libavcodec was built without its decoder '\(name)'")
        }
        context = avcodec_alloc_context3(decoder)
        frame = av_frame_alloc()
        packet = av_packet_alloc()
        guard let context, frame != nil, packet != nil,
            companion_set_configuration(
                context, configuration, Int32(truncatingIfNeeded: configuration.count)) == 0
        else { throw AVDecoderError(description: "libavcodec: out of memory") }
        context.pointee.thread_count = 1
        guard avcodec_open2(context, decoder, nil) == 0 else {
            throw AVDecoderError(
                description: "libavcodec rejects the configuration of the \(name.uppercased()) decoder")
        }
    }

    deinit {
        // Frees the configuration, too.
        avcodec_free_context(&context)
        av_frame_free(&frame)
        av_packet_free(&packet)
        for channel in channels { channel.deallocate() }
    }

    /// Decodes one access unit.
    /// - Parameters:
    ///   - unit: the unit's bytes.
    ///   - body: receives the samples, full scale being 1.
    /// - Returns: whether the unit could be decoded; if not, `body` is not called.
    package func decode(_ unit: RawSpan, _ body: (Samples) -> Void) -> Bool {
        guard let context, let frame, let packet, send(unit, packet, to: context),
            avcodec_receive_frame(context, frame) == 0
        else { return false }
        defer { av_frame_unref(frame) }
        let count = Int(frame.pointee.nb_samples)
        guard count > 0, convert(frame, count) else { return false }
        body(channels.map { UnsafeBufferPointer(rebasing: $0[..<count]) })
        // A unit gives one frame; more would be out of step with the index.
        while avcodec_receive_frame(context, frame) == 0 {}
        return true
    }

    /// Forgets the units before: the next one does not continue the last.
    package func reset() {
        if let context { avcodec_flush_buffers(context) }
    }

    private func send(
        _ unit: RawSpan, _ packet: UnsafeMutablePointer<AVPacket>,
        to context: UnsafeMutablePointer<AVCodecContext>
    ) -> Bool {
        // The library's own memory, with the zeros after it that it demands.
        guard unit.byteCount > 0, let size = Int32(exactly: unit.byteCount), av_new_packet(packet, size) == 0,
            let data = packet.pointee.data
        else { return false }
        unit.withUnsafeBytes { bytes in
            UnsafeMutableRawBufferPointer(start: data, count: bytes.count).copyMemory(from: bytes)
        }
        defer { av_packet_unref(packet) }
        return avcodec_send_packet(context, packet) == 0
    }

    /// Converts a frame's samples to numbers in ``channels``.
    private func convert(_ frame: UnsafeMutablePointer<AVFrame>, _ count: Int) -> Bool {
        let channelCount = Int(frame.pointee.ch_layout.nb_channels)
        guard (1...8).contains(channelCount), let planes = frame.pointee.extended_data else { return false }
        reserve(channels: channelCount, count: count)
        if layout.channelCount != channelCount {
            layout = ChannelLayout(
                (0..<channelCount).map { Self.loudspeaker(companion_channel(frame, Int32($0))) })
        }
        let format = AVSampleFormat(rawValue: frame.pointee.format)
        for (index, output) in channels.enumerated() {
            guard let input = planes[index].map({ UnsafeRawPointer($0) }) else { return false }
            switch format {
            case AV_SAMPLE_FMT_FLTP:
                output.baseAddress?.update(from: input.assumingMemoryBound(to: Float.self), count: count)
            case AV_SAMPLE_FMT_S16P:
                let samples = UnsafeBufferPointer(
                    start: input.assumingMemoryBound(to: Int16.self), count: count)
                for place in 0..<count { output[place] = Float(samples[place]) * 0x1p-15 }
            case AV_SAMPLE_FMT_S32P:
                let samples = UnsafeBufferPointer(
                    start: input.assumingMemoryBound(to: Int32.self), count: count)
                for place in 0..<count { output[place] = Float(samples[place]) * 0x1p-31 }
            default: return false
            }
        }
        return true
    }

    private func reserve(channels count: Int, count samples: Int) {
        guard channels.count != count || capacity < samples else { return }
        for channel in channels { channel.deallocate() }
        capacity = max(samples, 4096)
        channels = (0..<count).map { _ in
            let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: capacity)
            buffer.initialize(repeating: 0)
            return buffer
        }
    }

    private static func loudspeaker(_ channel: Int32) -> Loudspeaker {
        switch AVChannel(rawValue: channel) {
        case AV_CHAN_FRONT_LEFT: .frontLeft
        case AV_CHAN_FRONT_RIGHT: .frontRight
        case AV_CHAN_FRONT_CENTER: .frontCentre
        case AV_CHAN_LOW_FREQUENCY, AV_CHAN_LOW_FREQUENCY_2: .lowFrequency
        case AV_CHAN_BACK_LEFT: .backLeft
        case AV_CHAN_BACK_RIGHT: .backRight
        case AV_CHAN_BACK_CENTER: .backCentre
        case AV_CHAN_SIDE_LEFT: .sideLeft
        case AV_CHAN_SIDE_RIGHT: .sideRight
        case AV_CHAN_FRONT_LEFT_OF_CENTER: .frontLeftOfCentre
        case AV_CHAN_FRONT_RIGHT_OF_CENTER: .frontRightOfCentre
        default: .other
        }
    }
}
#else
/// Stands for the decoder in a build without libavcodec: it never opens.
package final class AVDecoder {
    /// The samples of a unit: one buffer per channel, valid during the call.
    package typealias Samples = [UnsafeBufferPointer<Float>]

    /// Whether this build can decode.
    package static let isAvailable = false

    /// The loudspeakers of the last decoded unit.
    package let layout = ChannelLayout([])

    /// - Throws: always.
    package init(_ codec: AVDecoderCodec) throws(AVDecoderError) {
        throw AVDecoderError(
            description: "this build cannot read AAC and ALAC: it was built without libavcodec")
    }

    /// - Returns: false.
    package func decode(_ unit: RawSpan, _ body: (Samples) -> Void) -> Bool { false }

    /// Does nothing.
    package func reset() {}
}
#endif
