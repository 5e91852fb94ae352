internal import PCMAudio

/// How the channels of loudspeakers count in loudness and are mixed to two.
struct SpeakerLayout {
    /// The weight of each channel in loudness (BS.1770-4, tables 3 and 4): 1.41 for loudspeakers at the sides, and for those at
    /// the back of a layout without others there; 0 for low-frequency effects.
    let loudnessWeights: [Double]
    /// The share of each channel in the left and the right of a stereo mix (BS.775-3, table 2, with 1/√2 for centre and
    /// surrounds and without low-frequency effects), scaled so that full scale in all channels does not exceed full scale; nil
    /// for one or two channels.
    let stereoShares: (left: [Float], right: [Float])?

    init(_ speakers: [Speaker]) {
        let hasSides = speakers.contains(.sideLeft) || speakers.contains(.sideRight)
        loudnessWeights = speakers.map { speaker in
            switch speaker {
            case .lowFrequency: 0
            case .sideLeft, .sideRight: 1.41
            case .backLeft, .backRight: hasSides ? 1 : 1.41
            default: 1
            }
        }
        guard speakers.count > 2 else {
            stereoShares = nil
            return
        }
        let half = Float(0.5).squareRoot()
        let shares = speakers.map { speaker -> (left: Float, right: Float) in
            switch speaker {
            case .frontLeft, .frontLeftOfCentre: (1, 0)
            case .frontRight, .frontRightOfCentre: (0, 1)
            case .frontCentre: (half, half)
            case .backLeft, .sideLeft: (half, 0)
            case .backRight, .sideRight: (0, half)
            case .backCentre: (0.5, 0.5)
            case .lowFrequency: (0, 0)
            case .other: (half, half)
            }
        }
        let largest = max(shares.reduce(0) { $0 + $1.left }, shares.reduce(0) { $0 + $1.right })
        let scale = largest > 0 ? 1 / largest : 0
        stereoShares = (shares.map { $0.left * scale }, shares.map { $0.right * scale })
    }
}
