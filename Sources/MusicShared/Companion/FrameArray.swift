/// Visualizer frames as an array: the answer to `GET /visualizer/frames`.
public struct FrameArray: Codable, Sendable, Equatable {
    /// Path in the music folder.
    public var relativePath: String
    /// Frames a second.
    public var fps: Int
    /// Bands of a frame, the lowest first: equal ratios of frequency between 40 Hz and 16 kHz.
    public var bands: Int
    /// The level in dBFS that 0 stands for; the largest value stands for a full-scale sine.
    public var floorDBFS: Double
    /// Frames in this answer.
    public var frameCount: Int
    /// The moment of the first frame, in seconds; the others follow `1 / fps` apart.
    public var startSeconds: Double
    /// For each frame the level of each band: 0 to 255, or 0 to 1 where numbers of type `float32` were asked for.
    public var frames: [[Double]]

    /// Puts the parts together.
    public init(
        relativePath: String, fps: Int, bands: Int, floorDBFS: Double, startSeconds: Double,
        frames: [[Double]]
    ) {
        self.relativePath = relativePath
        self.fps = fps
        self.bands = bands
        self.floorDBFS = floorDBFS
        self.startSeconds = startSeconds
        self.frames = frames
        frameCount = frames.count
    }

    private enum CodingKeys: String, CodingKey {
        case relativePath = "relative_path"
        case fps, bands
        case floorDBFS = "floor_dbfs"
        case frameCount = "frame_count"
        case startSeconds = "start_seconds"
        case frames
    }
}
