/// The order of channels in Ogg, and in FLAC and WAVE files.
public enum OggChannelOrder {
    /// More channels have no defined order.
    public static let largestCount = 8

    /// Returns for each channel in the order of FLAC (RFC 9639 §9.1.3) its place in the order of Vorbis and Opus (Vorbis I §4.3.9),
    /// which puts the centre between left and right, and low-frequency effects last.
    public static func places(channelCount: Int) -> [Int] {
        switch channelCount {
        case 3: [0, 2, 1]
        case 5: [0, 2, 1, 3, 4]
        case 6: [0, 2, 1, 5, 3, 4]
        // Vorbis: left, centre, right, side left, side right, back centre, low-frequency effects.
        case 7: [0, 2, 1, 6, 5, 3, 4]
        // Vorbis: left, centre, right, side left, side right, back left, back right, low-frequency effects.
        case 8: [0, 2, 1, 7, 5, 6, 3, 4]
        default: Array(0..<max(0, channelCount))
        }
    }
}
