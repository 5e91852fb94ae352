internal import CVorbis

/// Decodes Vorbis packets to samples: owns one libvorbis decoder.
///
/// It is fed with single packets and knows no container, so that the same decoder serves files and streams. Not thread-safe: each
/// worker owns its own.
package final class VorbisDecoder {
    /// The samples of a packet: one buffer per channel, valid during the call.
    package typealias Samples = [UnsafeBufferPointer<Float>]

    /// A comment header without vendor and comments: the library demands one.
    private static let comments = [3] + Array("vorbis".utf8) + [0, 0, 0, 0, 0, 0, 0, 0, 1]

    private let state: VorbisState
    private var packetNumber: Int64 = 3

    /// Opens a decoder for one link of a stream.
    /// - Parameters:
    ///   - identification: the identification header.
    ///   - setup: the setup header.
    /// - Throws: if libvorbis rejects the headers.
    package init(identification: [UInt8], setup: [UInt8]) throws(VorbisDecoderError) {
        state = try VorbisState(headers: [identification, Self.comments, setup])
    }

    /// Decodes one whole packet.
    /// - Parameters:
    ///   - packet: the packet's bytes.
    ///   - body: receives the samples, full scale being 1; they may exceed it. Not called for packets without samples, such as the
    ///     first.
    /// - Returns: whether the packet could be decoded; if not, `body` is not called.
    package func decode(_ packet: RawSpan, _ body: (Samples) -> Void) -> Bool {
        defer { packetNumber += 1 }
        let isDecoded = packet.withUnsafeBytes { state.take($0, number: packetNumber) }
        guard isDecoded else { return false }
        state.samples(body)
        return true
    }
}

/// The structures of libvorbis, which refer to each other by their addresses.
private final class VorbisState {
    private let info = UnsafeMutablePointer<vorbis_info>.allocate(capacity: 1)
    private let comment = UnsafeMutablePointer<vorbis_comment>.allocate(capacity: 1)
    private let synthesis = UnsafeMutablePointer<vorbis_dsp_state>.allocate(capacity: 1)
    private let block = UnsafeMutablePointer<vorbis_block>.allocate(capacity: 1)
    private var isOpen = false

    init(headers: [[UInt8]]) throws(VorbisDecoderError) {
        info.initialize(to: vorbis_info())
        comment.initialize(to: vorbis_comment())
        synthesis.initialize(to: vorbis_dsp_state())
        block.initialize(to: vorbis_block())
        vorbis_info_init(info)
        vorbis_comment_init(comment)
        for (number, header) in headers.enumerated() {
            let status = header.withUnsafeBytes { bytes in
                var packet = Self.packet(bytes, number: Int64(number))
                return vorbis_synthesis_headerin(info, comment, &packet)
            }
            guard status == 0 else {
                throw VorbisDecoderError(description: "libvorbis rejects the headers (status \(status))")
            }
        }
        guard vorbis_synthesis_init(synthesis, info) == 0 else {
            throw VorbisDecoderError(description: "libvorbis cannot be initialised")
        }
        vorbis_block_init(synthesis, block)
        isOpen = true
    }

    deinit {
        if isOpen { vorbis_block_clear(block) }
        // Also releases what a failed initialisation has allocated; without any, it does nothing.
        vorbis_dsp_clear(synthesis)
        vorbis_comment_clear(comment)
        vorbis_info_clear(info)
        info.deallocate()
        comment.deallocate()
        synthesis.deallocate()
        block.deallocate()
    }

    /// Decodes a packet into the library's buffers.
    func take(_ bytes: UnsafeRawBufferPointer, number: Int64) -> Bool {
        guard !bytes.isEmpty else { return false }
        var packet = Self.packet(bytes, number: number)
        return vorbis_synthesis(block, &packet) == 0 && vorbis_synthesis_blockin(synthesis, block) == 0
    }

    /// Passes on the samples that are ready, and removes them.
    func samples(_ body: (VorbisDecoder.Samples) -> Void) {
        var channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>?
        let count = vorbis_synthesis_pcmout(synthesis, &channels)
        guard count > 0, let channels else { return }
        body(
            (0..<Int(info.pointee.channels)).map {
                UnsafeBufferPointer(start: channels[$0], count: channels[$0] == nil ? 0 : Int(count))
            })
        vorbis_synthesis_read(synthesis, count)
    }

    /// The library only reads the bytes. Lengths are counted by the caller, so no position is stated.
    private static func packet(_ bytes: UnsafeRawBufferPointer, number: Int64) -> ogg_packet {
        ogg_packet(
            packet: UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress),
            bytes: bytes.count, b_o_s: number == 0 ? 1 : 0, e_o_s: 0, granulepos: -1, packetno: number)
    }
}
