/// How the samples of a track are encoded: the contents of its sample description (ISO/IEC 14496-12 §12.2.3).
package struct AudioSampleEntry: Sendable, Equatable {
    /// The codec, and what its decoder must know before the first sample.
    package enum Coding: Sendable, Equatable {
        /// FLAC, with the contents of the STREAMINFO block ("Encapsulation of FLAC in ISO Base Media File Format" §3.3.2).
        case flac(streamInfo: [UInt8])
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
        }
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
