/// The `global_gain` fields of a Layer III frame: the level of each granule and channel.
///
/// The decoder multiplies a granule's spectrum by 2^((global_gain − 210) / 4) (ISO/IEC 11172-3 §2.4.3.4.7.1). One step is thus
/// exactly a factor of 2^(1/4), 1.505 dB, without touching the coded spectrum.
public enum GlobalGain {
    /// Decibels per step of the field: 20·log₁₀(2) / 4.
    public static let decibelsPerStep = 1.505_149_978_319_906

    /// Range of the eight-bit field.
    public static let values = 0...255

    /// Granules with this gain or less are inaudible, whatever their spectrum: the largest value that can be coded, 8206,
    /// becomes 8206^(4/3) · 2^((32 − 210) / 4), which is −163 dBFS. Encoders write such granules (LAME, for near silence).
    static let inaudible = 32

    /// Bit offsets of the fields of one granule and channel, from the start of the frame's side information.
    struct Layout {
        /// Granules times channels.
        let count: Int
        /// Length in bits of `main_data_begin`, the first field.
        let mainDataBeginLength: Int
        /// Bits from a granule's first field to `window_switching_flag`; the preceding `scalefac_compress` has 4 or 9 bits.
        let windowOffset: Int
        private let first: Int
        private let stride: Int

        /// Bits from a granule's first field, `part2_3_length`, to its `global_gain`: 12 bits of that field and 9 of `big_values`.
        private static let gainOffset = 21

        init(_ header: MPEGFrameHeader) {
            let channels = header.channelCount
            if header.version == .v1 {
                // main_data_begin (9), private bits, scfsi per channel (4); 59 bits per granule and channel, two granules.
                first = 9 + (channels == 1 ? 5 : 3) + 4 * channels
                stride = 59
                count = 2 * channels
                mainDataBeginLength = 9
                windowOffset = 33
            } else {
                // main_data_begin (8), private bits; 63 bits per channel, one granule (ISO/IEC 13818-3 §2.4.1.7).
                first = 8 + (channels == 1 ? 1 : 2)
                stride = 63
                count = channels
                mainDataBeginLength = 8
                windowOffset = 38
            }
        }

        func lengthPosition(_ index: Int) -> Int { first + index * stride }

        func gainPosition(_ index: Int) -> Int { lengthPosition(index) + Self.gainOffset }
    }
}
