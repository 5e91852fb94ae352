/// The start of a media segment: everything before its samples, which follow byte for byte (ISO/IEC 14496-12 §8.8).
package enum FragmentHeader {
    /// A sample of the track: one frame of the codec.
    package struct Sample: Sendable, Equatable {
        /// Size in bytes.
        package let byteCount: Int
        /// Duration: PCM samples per channel.
        package let duration: Int

        /// Memberwise initializer.
        package init(byteCount: Int, duration: Int) {
            self.byteCount = byteCount
            self.duration = duration
        }
    }

    /// The flags of a sample that needs no other.
    static let independentSample = 0x0200_0000
    /// The group of the frames that a decoder can start with after some others.
    static let rollGroup: StaticString = "roll"

    private static let baseIsFragment = 0x02_0000
    private static let hasDuration = 0x08
    private static let hasDataOffset = 0x01
    private static let hasSampleDurations = 0x100
    private static let hasSampleSizes = 0x200

    /// Returns the fragment's description and the header of the box that holds its samples.
    /// - Parameters:
    ///   - number: the fragment's number in its stream, from 1.
    ///   - startSample: time of the first sample, in PCM samples.
    ///   - samples: the samples; at least one, less than 4 GB in total.
    ///   - needsPreroll: whether the initialization segment states a number of frames that a decoder needs before these.
    package static func bytes(
        number: Int, startSample: Int, samples: [Sample], needsPreroll: Bool = false
    ) -> [UInt8] {
        let usual = samples.first?.duration ?? 0
        // The last frame of a stream is usually shorter: then each sample states its duration.
        let isUniform = samples.allSatisfy { $0.duration == usual }
        var writer = BoxWriter()
        var dataOffset = 0
        writer.box("moof") { box in
            box.fullBox("mfhd") { $0.put(number, byteCount: 4) }
            box.box("traf") { box in
                box.fullBox("tfhd", flags: baseIsFragment | (isUniform ? hasDuration : 0)) { box in
                    box.put(InitializationSegment.trackNumber, byteCount: 4)
                    if isUniform { box.put(usual, byteCount: 4) }
                }
                box.fullBox("tfdt", version: 1) { $0.put(startSample, byteCount: 8) }
                let flags = hasDataOffset | hasSampleSizes | (isUniform ? 0 : hasSampleDurations)
                box.fullBox("trun", flags: flags) { box in
                    box.put(samples.count, byteCount: 4)
                    dataOffset = box.bytes.count
                    box.putZeros(4)
                    for sample in samples {
                        if !isUniform { box.put(sample.duration, byteCount: 4) }
                        box.put(sample.byteCount, byteCount: 4)
                    }
                }
                if needsPreroll {
                    box.fullBox("sbgp") { box in
                        box.put(code: rollGroup)
                        // One run: all samples have the first description.
                        box.put(1, byteCount: 4)
                        box.put(samples.count, byteCount: 4)
                        box.put(1, byteCount: 4)
                    }
                }
            }
        }
        // From the start of the fragment to the first sample.
        writer.replace(writer.bytes.count + 8, at: dataOffset)
        writer.put(samples.reduce(8) { $0 + $1.byteCount }, byteCount: 4)
        writer.put(code: "mdat")
        return writer.bytes
    }
}
