internal import MPEGAudio

/// The frames of a stream in time: what a cut must know of any format.
protocol TimedFrames {
    /// Number of frames.
    var count: Int { get }
    /// Returns the frame at a time in seconds; nil outside the stream.
    func frame(atTime seconds: Double) -> Int?
    /// Returns the first frame that a new decoder needs for a frame to decode as in the whole stream, or an earlier one.
    func firstFrame(toDecode frame: Int) -> Int
    /// Returns when a frame starts, in seconds; for the number of frames, the end of the stream.
    func startSeconds(ofFrame frame: Int) -> Double
}

extension FrameIndex: TimedFrames {
    func firstFrame(toDecode frame: Int) -> Int {
        BitReservoir.frameEarlyEnough(toDecode: frame, index: self)
    }

    func startSeconds(ofFrame frame: Int) -> Double { StreamTime.seconds(startTicks(ofFrame: frame)) }
}
