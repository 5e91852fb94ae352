/// Formats in which other systems import tracks and their metadata.
package enum PlaylistFormat: String, Sendable, CaseIterable {
    /// A playlist of files with durations, names and albums (`#EXTINF`, `#EXTALB`).
    case m3u8
    /// Liquidsoap requests with the metadata of its autocue protocol, one per line.
    case liquidsoap
    /// The output of autocue's `cue_file` by path, as JSON.
    case cueFile = "cue_file"
    /// The fields of a file in AzuraCast's API by path, as JSON.
    case azuracast
    /// MixRamp tags, by path, as JSON.
    case mixramp

    /// MIME type of the document.
    package var contentType: String {
        switch self {
        case .m3u8: "application/vnd.apple.mpegurl"
        case .liquidsoap: "text/plain; charset=utf-8"
        case .cueFile, .azuracast, .mixramp: "application/json"
        }
    }
}
