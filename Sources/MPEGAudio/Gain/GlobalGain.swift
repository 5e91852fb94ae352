/// The `global_gain` fields of a layer III frame: how loud each of its granules is decoded, per channel.
///
/// The decoder multiplies a granule's spectrum by 2^((global_gain − 210) / 4) (ISO/IEC 11172-3 §2.4.3.4.7.1). So one step is a
/// factor of 2^(1/4), 1.505 dB, exactly and without touching the coded spectrum.
public enum GlobalGain {
    /// Decibels that one step of the field is: 20·log₁₀(2) / 4.
    public static let decibelsPerStep = 1.505_149_978_319_906

    /// Values that the eight bits hold.
    public static let values = 0...255

    /// A granule of this gain or less is silent to every listener, whatever its spectrum: the largest value that can be coded, 8206,
    /// comes to 8206^(4/3) · 2^((32 − 210) / 4), which is −163 dB of full scale. Encoders write such granules (LAME, of near silence).
    static let inaudible = 32

    /// Where the fields of one granule and channel begin, in bits from the frame's side information on.
    struct Layout {
        /// Granules times channels.
        let count: Int
        private let first: Int
        private let stride: Int

        /// Bits from a granule's first field, `part2_3_length`, to its `global_gain`: that field's 12 and the 9 of
        /// `big_values`.
        private static let gainOffset = 21

        init(_ header: MPEGFrameHeader) {
            let channels = header.channelCount
            if header.version == .v1 {
                // main_data_begin (9), private bits, scfsi of each channel (4); 59 bits a granule and channel, two granules.
                first = 9 + (channels == 1 ? 5 : 3) + 4 * channels
                stride = 59
                count = 2 * channels
            } else {
                // main_data_begin (8), private bits; 63 bits a channel, one granule (ISO/IEC 13818-3 §2.4.1.7).
                first = 8 + (channels == 1 ? 1 : 2)
                stride = 63
                count = channels
            }
        }

        func lengthPosition(_ index: Int) -> Int { first + index * stride }

        func gainPosition(_ index: Int) -> Int { lengthPosition(index) + Self.gainOffset }
    }
}
