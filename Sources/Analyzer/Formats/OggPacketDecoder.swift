internal import OggAudio
internal import OpusDecoder
internal import VorbisDecoder

/// Decodes the packets of one link of an Ogg stream.
struct OggPacketDecoder {
    private enum Codec {
        case opus(OpusDecoder)
        case vorbis(VorbisDecoder)
    }

    private let codec: Codec

    /// Opens a decoder with the headers of a link.
    /// - Throws: `decoderFailed` if the codec's library rejects them.
    init(_ stream: OggAudioStream, link: Int, _ bytes: RawSpan) throws(AnalyzerError) {
        if let head = stream.index.links[link].opusHead {
            do throws(OpusDecoderError) {
                codec = .opus(
                    try OpusDecoder(
                        streamCount: head.streamCount, coupledCount: head.coupledCount, mapping: head.mapping,
                        gain: head.outputGain))
            } catch {
                throw AnalyzerError(.decoderFailed, error.description)
            }
            return
        }
        let headers = stream.headers[link]
        do throws(VorbisDecoderError) {
            codec = .vorbis(
                try VorbisDecoder(
                    identification: Self.joined(headers.identification, bytes),
                    setup: Self.joined(headers.setup, bytes)))
        } catch {
            throw AnalyzerError(.decoderFailed, error.description)
        }
    }

    private static func joined(_ ranges: [Range<Int>], _ bytes: RawSpan) -> [UInt8] {
        ranges.flatMap { range in bytes.extracting(range).withUnsafeBytes { Array($0) } }
    }

    /// Decodes a packet.
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - body: receives the samples, in Vorbis order; not called for packets without samples.
    /// - Returns: whether the packet could be decoded; if not, `body` is not called.
    func decode(
        _ packet: OggPacket, of bytes: RawSpan, _ body: ([UnsafeBufferPointer<Float>]) -> Void
    ) -> Bool {
        if packet.ranges.count == 1 { return decode(bytes.extracting(packet.ranges[0]), body) }
        let joined = packet.bytes(of: bytes)
        return decode(joined.span.bytes, body)
    }

    private func decode(_ packet: RawSpan, _ body: ([UnsafeBufferPointer<Float>]) -> Void) -> Bool {
        switch codec {
        case .opus(let decoder): decoder.decode(packet, body)
        case .vorbis(let decoder): decoder.decode(packet, body)
        }
    }
}
