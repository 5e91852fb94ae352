internal import Foundation

/// A playlist of HTTP Live Streaming (RFC 8216), with all addresses made whole.
enum HLSPlaylist: Sendable, Equatable {
    /// Qualities to choose from.
    case master(HLSMasterPlaylist)
    /// Segments.
    case media(HLSMediaPlaylist)

    /// Reads a playlist.
    /// - Parameter address: where it came from, which its addresses are relative to.
    /// - Throws: `bad_playlist`, or `unsupported` where it needs what is not there.
    init(_ text: String, from address: String) throws(PlaybackError) {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        guard let first = lines.first, first.drop(while: { $0 == "\u{FEFF}" }).hasPrefix("#EXTM3U") else {
            throw PlaybackError(.badPlaylist, "the playlist does not begin with #EXTM3U")
        }
        let isMaster = lines.contains { $0.hasPrefix("#EXT-X-STREAM-INF:") }
        self =
            isMaster
            ? .master(try HLSMasterPlaylist(lines.dropFirst(), from: address))
            : .media(try HLSMediaPlaylist(lines.dropFirst(), from: address))
    }

    /// An address relative to another.
    static func resolve(_ address: String, _ base: String) throws(PlaybackError) -> String {
        guard let url = URL(string: address, relativeTo: URL(string: base)) else {
            throw PlaybackError(.badPlaylist, "the playlist holds an address that is none")
        }
        return url.absoluteString
    }
}
