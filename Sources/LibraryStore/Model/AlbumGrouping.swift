internal import Foundation
package import Tagging

/// The rule that decides which tracks form one album.
///
/// - With an album artist, and not marked as a compilation: all tracks with the same album artist and album
///   title, whatever their folder (the discs of a set often have separate folders).
/// - Without an album artist, or a compilation: all tracks with the same album title in one folder, where a
///   folder that only names a disc ("CD 2", "Disc 1") counts as its parent folder. Many compilations have the
///   same title, or "Various Artists" as their artist, so only the folder distinguishes them.
/// - Without an album title: no album.
///
/// Case and runs of white space are ignored.
package struct AlbumGrouping: Sendable, Hashable {
    /// Identifies the album: equal for all its tracks, different for any other album. Not meant for display.
    package let key: String
    /// Title of the album.
    package let title: String
    /// The album artist from the tags; nil if the album has none.
    package let artist: String?
    /// Whether the album is marked as a compilation.
    package let isCompilation: Bool

    /// The album a track belongs to; nil if it has no album title.
    package init?(tags: TrackTags, path: RelativePath) {
        guard let album = tags.album else { return nil }
        title = album
        artist = tags.albumArtist
        isCompilation = tags.isCompilation
        if let artist, !isCompilation {
            key = "artist\u{1F}\(Self.folded(artist))\u{1F}\(Self.folded(album))"
        } else {
            key = "folder\u{1F}\(Self.albumFolder(path)?.text ?? "")\u{1F}\(Self.folded(album))"
        }
    }

    /// A name in the form used for comparison: precomposed characters, lower case, single spaces.
    package static func folded(_ name: String) -> String {
        name.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
            .precomposedStringWithCanonicalMapping
    }

    package static func albumFolder(_ path: RelativePath) -> RelativePath? {
        guard let folder = path.audioFile.folder else { return nil }
        let name = folder.name.lowercased()
        for word in ["cd", "disc", "disk"] where name.hasPrefix(word) {
            let rest = name.dropFirst(word.count).drop { " -_.#".contains($0) }
            if (1...2).contains(rest.count), rest.allSatisfy({ $0.isASCII && $0.isNumber }) {
                return folder.folder
            }
        }
        return folder
    }
}
