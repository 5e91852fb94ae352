import TestSupport

/// The sound of test stations: 20 seconds of music, encoded once.
enum StationSound {
    static let pcm = PCM.music(frameCount: 20 * 44_100, seed: 7)
    /// 64 kbit/s without an information frame, so that repetitions have no frame that a feed would drop.
    static let mp3 = Task { try Encoders.lame(pcm, ["-b", "64", "-t"]) }
    static let adts = Task {
        try Encoders.ffmpeg(pcm, ["-c:a", "aac", "-b:a", "64k", "-f", "adts"], as: "x.aac")
    }
    static let transportStream = Task {
        try Encoders.ffmpeg(pcm, ["-c:a", "aac", "-b:a", "64k", "-f", "mpegts"], as: "x.ts")
    }
}
