/// Visualizer frames as an array: the response to `GET /visualizer/frames`.
public struct SpectrumArray: Codable, Sendable, Equatable {
    /// Path relative to the music folder.
    public var relativePath: String
    /// Frames per second.
    public var fps: Int
    /// Bands per frame, lowest first: logarithmically spaced between 40 Hz and 16 kHz.
    public var bands: Int
    /// Level in dBFS that corresponds to 0; the maximum value is a full-scale sine.
    public var floorDBFS: Double
    /// Number of frames in this response.
    public var frameCount: Int
    /// Time of the first frame in seconds; frames are `1 / fps` apart.
    public var startSeconds: Double
    /// Levels of each frame by band: 0 to 255, or 0 to 1 if the requested type is `float32`.
    public var frames: [[Double]]

    /// Memberwise initializer.
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
