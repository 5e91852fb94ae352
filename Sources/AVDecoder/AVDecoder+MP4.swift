package import AudioChannels
package import MP4Audio

extension AVDecoderCodec {
    /// The codec of a track in an MP4 file.
    package init(_ codec: MP4AudioCodec) {
        self =
            switch codec {
            case .aac(let configuration): .aac(configuration: configuration.bytes)
            case .alac(let configuration): .alac(configuration: configuration.bytes)
            }
    }
}

extension AVDecoder {
    /// Decodes access units: the last one that can be decoded tells the size of the others, and their loudspeakers.
    /// - Parameter units: the first units of a track, by their place in `bytes`.
    package static func probe(
        _ codec: AVDecoderCodec, _ units: [Range<Int>], _ bytes: RawSpan
    ) -> (size: DecodedUnit, layout: ChannelLayout)? {
        guard let decoder = try? AVDecoder(codec) else { return nil }
        var size: DecodedUnit?
        for unit in units {
            _ = decoder.decode(bytes.extracting(unit)) { channels in
                size = DecodedUnit(sampleCount: channels.first?.count ?? 0, channelCount: channels.count)
            }
        }
        return size.map { ($0, decoder.layout) }
    }
}
