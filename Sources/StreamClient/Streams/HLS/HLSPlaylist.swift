internal import Foundation

/// An HTTP Live Streaming playlist (RFC 8216), with all URLs resolved.
enum HLSPlaylist: Sendable, Equatable {
    /// A master playlist.
    case master(HLSMasterPlaylist)
    /// A media playlist.
    case media(HLSMediaPlaylist)

    /// Parses a playlist.
    /// - Parameter address: the URL of the playlist, used to resolve relative URLs.
    /// - Throws: `bad_playlist`, or `unsupported` if the stream requires an unsupported feature.
    init(_ text: String, from address: String) throws(PlaybackError) {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        guard let first = lines.first, first.drop(while: { $0 == "\u{FEFF}" }).hasPrefix("#EXTM3U") else {
            throw PlaybackError(.badPlaylist, "the playlist does not start with #EXTM3U")
        }
        let isMaster = lines.contains { $0.hasPrefix("#EXT-X-STREAM-INF:") }
        self =
            isMaster
            ? .master(try HLSMasterPlaylist(lines.dropFirst(), from: address))
            : .media(try HLSMediaPlaylist(lines.dropFirst(), from: address))
    }

    /// Resolves a URL relative to another.
    static func resolve(_ address: String, _ base: String) throws(PlaybackError) -> String {
        guard let url = URL(string: address, relativeTo: URL(string: base)) else {
            throw PlaybackError(.badPlaylist, "the playlist contains an invalid URL")
        }
        return url.absoluteString
    }
}
