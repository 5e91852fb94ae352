internal import AudioFrames

extension OggAudioStream {
    /// The facts that identify the audio besides bytes of the file: the codec, and for each link the number of packets and the samples
    /// that are dropped and played.
    public var identityFacts: [UInt8] {
        var facts = Array("ogg-\(codec.rawValue)-1\n".utf8)
        for link in index.links {
            for number in [link.packets.count, link.skippedSamples, link.sampleCount] {
                facts += (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
            }
        }
        return facts
    }

    /// Calls a closure with the byte ranges that identify the audio, in order: the headers that a decoder needs, and the packets.
    ///
    /// Page headers and comments are not among them, so that tags of another size, or the same packets on other pages, are the
    /// same audio.
    public func forEachIdentifyingRange(_ body: (Range<Int>) -> Void) {
        for (link, headers) in zip(index.links, headers) {
            for range in headers.identification + headers.setup { body(range) }
            var pending: Range<Int>?
            index.packets.forEach(in: link.packets) { packet in
                for range in packet.ranges {
                    if let open = pending, open.upperBound == range.lowerBound {
                        pending = open.lowerBound..<range.upperBound
                    } else {
                        if let open = pending { body(open) }
                        pending = range
                    }
                }
                return true
            }
            if let open = pending { body(open) }
        }
    }
}
