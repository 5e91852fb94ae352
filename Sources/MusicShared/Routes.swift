/// The paths of the host's API, as patterns: `:name` stands for one part of a path.
public enum Routes {
    /// Whether the host is up; needs no key.
    public static let health = "/health"
    /// Checks the key and tells who answers.
    public static let auth = "/auth"
    /// Makes a token for one track.
    public static let token = "/auth/token"
    /// Description of this API in OpenAPI's form; needs no key.
    public static let openAPI = "/openapi.json"
    /// The library database.
    public static let database = "/db"
    /// HLS media playlist.
    public static let mediaPlaylist = "/tracks/:id/stream.m3u8"
    /// HLS master playlist.
    public static let masterPlaylist = "/tracks/:id/master.m3u8"
    /// A packed-audio segment.
    public static let segment = "/tracks/:id/segments/:index.mp3"
    /// Where the segments lie in the original file, for players that decode themselves.
    public static let segmentIndex = "/tracks/:id/segments.json"
    /// The original file.
    public static let file = "/api/files/:id/stream"
    /// All measurements of a track.
    public static let analysis = "/tracks/:id/analysis"
    /// Visualizer frames.
    public static let visualizer = "/tracks/:id/visualizer"
    /// Waveform overview.
    public static let waveform = "/tracks/:id/waveform"
    /// How one track goes over into another.
    public static let crossfade = "/crossfade"
}
