internal import HTTPServer

/// A playlist of a track, ready to send.
struct TrackPlaylist: Sendable {
    /// A kind of playlist.
    enum Form: Hashable, Sendable {
        /// A media playlist with one URL per segment.
        case segments
        /// A media playlist of byte ranges of the original file.
        case byteRanges
        /// The master playlist.
        case master
    }

    /// Everything a playlist depends on, apart from the track.
    struct Key: Hashable, Sendable {
        let form: Form
        let options: StreamOptions
        let cut: StreamCut
        let quality: StreamQuality
    }

    let bytes: [UInt8]
    let entityTag: String

    init(_ text: String, _ track: StreamedTrack) {
        bytes = Array(text.utf8)
        entityTag = EntityTag(track.hashText, ofContent: bytes).description
    }
}
