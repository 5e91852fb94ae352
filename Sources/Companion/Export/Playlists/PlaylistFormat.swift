/// Forms in which other systems take tracks with what is known of them.
public enum PlaylistFormat: String, Sendable, CaseIterable {
    /// A playlist of files with lengths, names and albums (`#EXTINF`, `#EXTALB`).
    case m3u8
    /// Requests of Liquidsoap with the metadata of its autocue protocol, one a line.
    case liquidsoap
    /// What autocue's `cue_file` prints, by path, as JSON.
    case cueFile = "cue_file"
    /// What AzuraCast's API takes of a file, by path, as JSON.
    case azuracast
    /// MixRamp tags, by path, as JSON.
    case mixramp

    /// MIME type of a document of this form.
    public var contentType: String {
        switch self {
        case .m3u8: "application/vnd.apple.mpegurl"
        case .liquidsoap: "text/plain; charset=utf-8"
        case .cueFile, .azuracast, .mixramp: "application/json"
        }
    }
}
