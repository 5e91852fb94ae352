/// The loudspeakers of a FLAC file's channels, and how they are mixed (RFC 9639 §9.1.3).
public enum ChannelLayout {
    /// Returns the weight of each channel in loudness: BS.1770-4, tables 3 and 4. Loudspeakers at the sides, 60° to 120°
    /// from the front, count 1.41, and those of layouts without others at the back are such; low-frequency effects do not count.
    public static func loudnessWeights(channelCount: Int) -> [Double] {
        switch channelCount {
        // Left, right, back left, back right.
        case 4: [1, 1, 1.41, 1.41]
        // Left, right, centre, back left, back right.
        case 5: [1, 1, 1, 1.41, 1.41]
        // Left, right, centre, low-frequency effects, back left, back right.
        case 6: [1, 1, 1, 0, 1.41, 1.41]
        // Left, right, centre, low-frequency effects, back centre, side left, side right.
        case 7: [1, 1, 1, 0, 1, 1.41, 1.41]
        // Left, right, centre, low-frequency effects, back left, back right, side left, side right.
        case 8: [1, 1, 1, 0, 1, 1, 1.41, 1.41]
        default: [Double](repeating: 1, count: channelCount)
        }
    }

    /// Returns the share of each channel in the left and the right of a stereo mix: BS.775-3, table 2, with 1/√2 for centre and
    /// surrounds and without low-frequency effects, scaled so that full scale in all channels does not exceed full scale.
    public static func stereoShares(channelCount: Int) -> (left: [Float], right: [Float])? {
        let half = Float(0.5).squareRoot()
        let left: [Float]
        let right: [Float]
        switch channelCount {
        case 3: (left, right) = ([1, 0, half], [0, 1, half])
        case 4: (left, right) = ([1, 0, half, 0], [0, 1, 0, half])
        case 5: (left, right) = ([1, 0, half, half, 0], [0, 1, half, 0, half])
        case 6: (left, right) = ([1, 0, half, 0, half, 0], [0, 1, half, 0, 0, half])
        case 7: (left, right) = ([1, 0, half, 0, 0.5, half, 0], [0, 1, half, 0, 0.5, 0, half])
        case 8: (left, right) = ([1, 0, half, 0, half, 0, half, 0], [0, 1, half, 0, 0, half, 0, half])
        default: return nil
        }
        let scale = 1 / left.reduce(0, +)
        return (left.map { $0 * scale }, right.map { $0 * scale })
    }
}
