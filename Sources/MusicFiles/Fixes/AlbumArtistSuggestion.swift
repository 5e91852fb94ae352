internal import Foundation
internal import LibraryStore
package import Tagging

/// The album artist that the tracks of one album should have, judged from all of them together.
///
/// The tracks are those with one album title in one folder, whatever their album artists. If they could also
/// be two albums with the same title, there is no opinion.
package struct AlbumArtistSuggestion: Sendable, Equatable {
    /// The album artist that a split album should have; nil if it is not split, or the artist is not certain.
    package private(set) var unitedArtist: String?
    /// Whether the united album is a compilation.
    package private(set) var isCompilation = false
    /// The album artist for tracks that have none; nil if uncertain.
    package private(set) var missingArtist: String?
    /// Whether those tracks should be marked as a compilation.
    package private(set) var missingIsCompilation = false

    /// The name that taggers use for compilations by many artists.
    package static let variousArtists = "Various Artists"

    /// Derives the opinion from the tags of the tracks.
    package init(tracks: [TrackTags]) {
        let named = tracks.compactMap(\.albumArtist)
        let names = Set(named.map(AlbumGrouping.folded))
        let flags = Set(tracks.map(\.isCompilation))
        let areOneAlbum = Self.areNumbered(tracks)
        if names.count >= 2, areOneAlbum {
            unite(tracks, named)
        } else if names.count == 1, flags.count == 2 {
            // Only the compilation flag differs: the majority is right.
            unitedArtist = named.first
            isCompilation =
                Self.isVarious(named.first) || tracks.count(where: \.isCompilation) * 2 >= tracks.count
        }
        if names.count == 1 {
            missingArtist = named.first
            missingIsCompilation = tracks.allSatisfy { $0.albumArtist == nil || $0.isCompilation }
        } else if names.isEmpty {
            findMissing(tracks, areOneAlbum)
        }
    }

    private mutating func unite(_ tracks: [TrackTags], _ named: [String]) {
        let counts = Dictionary(grouping: named, by: AlbumGrouping.folded)
        let most = counts.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.value ?? []
        if let various = named.first(where: Self.isVarious) {
            unitedArtist = various
            isCompilation = true
        } else if most.count * 2 > tracks.count {
            // An album by one artist with guests on a few tracks.
            unitedArtist = most.first
            isCompilation = tracks.count(where: \.isCompilation) * 2 > tracks.count
        } else {
            unitedArtist = Self.variousArtists
            isCompilation = true
        }
    }

    private mutating func findMissing(_ tracks: [TrackTags], _ areOneAlbum: Bool) {
        let artists = tracks.compactMap(\.artist)
        guard artists.count == tracks.count, let first = artists.first else { return }
        let leaders = Set(artists.map { AlbumGrouping.folded(Self.leader($0)) })
        if leaders.count == 1 {
            // "A" and "A feat. B": the name without guests.
            missingArtist = Self.leader(first)
        } else if areOneAlbum {
            missingArtist = Self.variousArtists
            missingIsCompilation = true
        }
    }

    /// Whether all tracks have distinct numbers, as on one album. Two albums with the same title in one
    /// folder repeat some numbers.
    private static func areNumbered(_ tracks: [TrackTags]) -> Bool {
        var seen: Set<[Int]> = []
        return tracks.count >= 2
            && tracks.allSatisfy { tags in
                tags.track.number.map { seen.insert([tags.disc.number ?? 1, $0]).inserted } ?? false
            }
    }

    private static func isVarious(_ name: String?) -> Bool {
        ["various artists", "various", "va", "v.a.", "verschiedene interpreten"].contains(
            name.map(AlbumGrouping.folded))
    }

    /// The artist's name without guests.
    private static func leader(_ artist: String) -> String {
        for mark in [" feat. ", " feat ", " ft. ", " featuring ", " (feat. ", " (ft. "] {
            if let range = artist.range(of: mark, options: .caseInsensitive),
                range.lowerBound > artist.startIndex
            {
                return String(artist[..<range.lowerBound])
            }
        }
        return artist
    }

    /// The year of most tracks of an album: more than half of those with a year, and at least two. Nil if
    /// there is no such year, and for compilations, whose tracks may have different years.
    package static func year(of tracks: [TrackTags]) -> Int? {
        guard !tracks.contains(where: { $0.isCompilation || isVarious($0.albumArtist) }) else { return nil }
        let years = tracks.compactMap(\.year)
        let most = Dictionary(grouping: years) { $0 }.values.max { $0.count < $1.count } ?? []
        return most.count >= 2 && most.count * 2 > years.count ? most.first : nil
    }
}
