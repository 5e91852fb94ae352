/// How the samples of a track are encoded: the contents of its sample description (ISO/IEC 14496-12 §12.2.3).
package struct AudioSampleEntry: Sendable, Equatable {
    /// The codec, and what its decoder must know before the first sample.
    package enum Coding: Sendable, Equatable {
        /// FLAC, with the contents of the STREAMINFO block ("Encapsulation of FLAC in ISO Base Media File Format" §3.3.2).
        case flac(streamInfo: [UInt8])
        /// AAC, with the AudioSpecificConfig (ISO/IEC 14496-14 §5.6) and the codec's name in playlists.
        case aac(configuration: [UInt8], codec: String)
        /// ALAC, with the ALACSpecificConfig.
        case alac(configuration: [UInt8])
        /// Opus, with the content of the `dOps` box ("Encapsulation of Opus in ISO Base Media File Format" §4.3.2).
        case opus(specificBox: [UInt8])
    }

    /// The codec.
    package let coding: Coding
    /// Samples per second, which is also the unit of all times.
    package let sampleRate: Int
    /// Number of channels.
    package let channelCount: Int
    /// Bits per sample.
    package let bitDepth: Int

    /// Memberwise initializer.
    package init(coding: Coding, sampleRate: Int, channelCount: Int, bitDepth: Int) {
        self.coding = coding
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.bitDepth = bitDepth
    }

    /// The codec as playlists and media types name it (RFC 6381).
    package var codec: String {
        switch coding {
        case .flac: "fLaC"
        case .aac(_, let codec): codec
        case .alac: "alac"
        case .opus: "opus"
        }
    }

    func write(to writer: inout BoxWriter) {
        switch coding {
        case .flac(let streamInfo):
            writer.box("fLaC") { entry in
                writeFields(to: &entry)
                entry.fullBox("dfLa") { box in
                    // A metadata block of type 0, which is the last.
                    box.put(0x80, byteCount: 1)
                    box.put(streamInfo.count, byteCount: 3)
                    box.put(streamInfo)
                }
            }
        case .aac(let configuration, _):
            writer.box("mp4a") { entry in
                writeFields(to: &entry)
                entry.fullBox("esds") { Self.writeElementaryStream(configuration, to: &$0) }
            }
        case .alac(let configuration):
            writer.box("alac") { entry in
                writeFields(to: &entry)
                entry.fullBox("alac") { $0.put(configuration) }
            }
        case .opus(let content):
            writer.box("Opus") { entry in
                writeFields(to: &entry)
                entry.box("dOps") { $0.put(content) }
            }
        }
    }

    /// Writes the descriptor of an AAC stream (ISO/IEC 14496-1 §7.2.6.5, ISO/IEC 14496-14 §3.1.2): descriptors in descriptors, each
    /// with its type and its size.
    private static func writeElementaryStream(_ configuration: [UInt8], to writer: inout BoxWriter) {
        let specific = descriptor(5, configuration)
        // MPEG-4 audio; an audio stream; no stated size of buffers and no bit rates.
        let decoder = descriptor(4, [0x40, 0x15] + [UInt8](repeating: 0, count: 11) + specific)
        // The only stream, without further fields; then the packets' form that MP4 files have.
        writer.put(descriptor(3, [0, 0, 0] + decoder + descriptor(6, [2])))
    }

    /// Returns a descriptor: the size in four bytes of seven bits, as most writers state it.
    private static func descriptor(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
        let size = [21, 14, 7, 0].map { UInt8(content.count >> $0 & 0x7F) | ($0 > 0 ? 0x80 : 0) }
        return [type] + size + content
    }

    /// Writes the fields that all codecs have.
    private func writeFields(to writer: inout BoxWriter) {
        writer.putZeros(6)
        // The data reference: this file.
        writer.put(1, byteCount: 2)
        writer.putZeros(8)
        writer.put(channelCount, byteCount: 2)
        writer.put(bitDepth, byteCount: 2)
        writer.putZeros(4)
        writer.put(storedRate << 16, byteCount: 4)
    }

    /// The sample rate for a field of 16 bits: the rate itself, or the largest that fits and divides it, or else 0. The decoder
    /// takes the rate from the codec's own data.
    private var storedRate: Int {
        guard sampleRate > 0xFFFF else { return sampleRate }
        let divisor = (2...64).first { sampleRate.isMultiple(of: $0) && sampleRate / $0 <= 0xFFFF }
        return divisor.map { sampleRate / $0 } ?? 0
    }
}
