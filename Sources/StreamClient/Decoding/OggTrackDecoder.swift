internal import OggAudio
internal import OpusDecoder
internal import VorbisDecoder

/// Decodes the packets of one link of Opus or Vorbis.
final class OggTrackDecoder {
    private enum Codec {
        case opus(OpusDecoder)
        case vorbis(VorbisDecoder)
    }

    private let codec: Codec
    private let headers: OggDecoderHeaders
    private let link: Int
    private let places: [Int]

    /// Opens a decoder for the link of a packet.
    init(_ part: MediaFrame.OggPart) throws(PlaybackError) {
        headers = part.headers
        link = part.link
        places = OggChannelOrder.places(channelCount: part.headers.channelCount)
        switch part.headers {
        case .opus(let head):
            do throws(OpusDecoderError) {
                codec = .opus(
                    try OpusDecoder(
                        streamCount: head.streamCount, coupledCount: head.coupledCount, mapping: head.mapping,
                        gain: head.outputGain))
            } catch {
                throw PlaybackError(.decoderFailed, error.description)
            }
        case .vorbis(_, let identification, let setup):
            do throws(VorbisDecoderError) {
                codec = .vorbis(try VorbisDecoder(identification: identification, setup: setup))
            } catch {
                throw PlaybackError(.decoderFailed, error.description)
            }
        }
    }

    /// Whether a packet belongs to this link.
    func continues(_ part: MediaFrame.OggPart) -> Bool { part.link == link && part.headers == headers }

    /// Decodes a packet.
    /// - Parameter body: receives the channels in the order of FLAC; not called for packets without samples.
    /// - Returns: whether the packet could be decoded.
    func decode(_ packet: [UInt8], _ body: ([UnsafeBufferPointer<Float>]) -> Void) -> Bool {
        func ordered(_ channels: [UnsafeBufferPointer<Float>]) {
            guard channels.count == places.count else { return }
            body(places.map { channels[$0] })
        }
        return switch codec {
        case .opus(let decoder): decoder.decode(packet.span.bytes, ordered)
        case .vorbis(let decoder): decoder.decode(packet.span.bytes, ordered)
        }
    }
}
