internal import Foundation

/// An HTTP Live Streaming playlist (RFC 8216), with all URLs resolved.
package enum HLSPlaylist: Sendable, Equatable {
    /// A master playlist.
    case master(HLSMasterPlaylist)
    /// A media playlist.
    case media(HLSMediaPlaylist)

    /// Parses a playlist.
    /// - Parameters:
    ///   - address: the URL of the playlist, used to resolve relative URLs.
    ///   - canPlay: whether the caller can use variants with these codecs; nil if none are declared. Other variants are left out.
    /// - Throws: `malformed`, or `unsupported` if the stream requires an unsupported feature.
    package init(
        _ text: String, from address: String, canPlay: (_ codecs: String?) -> Bool
    ) throws(HLSPlaylistError) {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        guard let first = lines.first, first.drop(while: { $0 == "\u{FEFF}" }).hasPrefix("#EXTM3U") else {
            throw HLSPlaylistError(.malformed, "the playlist does not start with #EXTM3U")
        }
        let isMaster = lines.contains { $0.hasPrefix("#EXT-X-STREAM-INF:") }
        self =
            isMaster
            ? .master(try HLSMasterPlaylist(lines.dropFirst(), from: address, canPlay: canPlay))
            : .media(try HLSMediaPlaylist(lines.dropFirst(), from: address))
    }

    /// Resolves a URL relative to another.
    package static func resolve(_ address: String, _ base: String) throws(HLSPlaylistError) -> String {
        guard let url = URL(string: address, relativeTo: URL(string: base)) else {
            throw HLSPlaylistError(.malformed, "the playlist contains an invalid URL")
        }
        return url.absoluteString
    }
}
