extension FrameIndex {
    /// Returns the index of a stream with a constant bit rate that has not been encoded yet: MPEG-1 Layer III, padded so that the
    /// frames follow the bit rate exactly (ISO/IEC 11172-3, 2.4.2.3). Encoders may distribute the padding in another way.
    /// - Parameters:
    ///   - sampleRate: 32,000, 44,100 or 48,000 Hz.
    ///   - kilobits: a bit rate of MPEG-1 Layer III; frames of others cannot be indexed.
    package static func constantBitRate(
        frameCount: Int, sampleRate: Int, channelCount: Int, kilobits: Int
    ) -> FrameIndex {
        let format = StreamFormat(
            version: .v1, layer: .layer3, sampleRate: sampleRate,
            channelMode: channelCount == 1 ? .mono : .stereo)
        let bitRateIndex =
            (1..<15).first { BitRateTable.kilobits(version: .v1, layer: .layer3, index: $0) == kilobits } ?? 0
        var builder = FrameIndexBuilder()
        builder.beginSection(format)
        let bytes = format.samplesPerFrame / 8 * kilobits * 1000
        // LAME pads as early as the bit rate allows, from the first frame on.
        func offset(_ frame: Int) -> Int { (frame * bytes + sampleRate - 1) / sampleRate }
        for frame in 0..<frameCount {
            let start = offset(frame)
            builder.append(
                offset: start, length: offset(frame + 1) - start, bitRateIndex: bitRateIndex)
        }
        return builder.finish()
    }
}
