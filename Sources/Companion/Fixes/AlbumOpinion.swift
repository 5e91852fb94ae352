internal import Foundation
public import Tagging

/// What the tracks of one album, taken together, say that each of them should say.
///
/// The tracks are those of one album title in one folder, whatever album artist they name. Where they could also be two
/// albums of the same title, there is no opinion.
public struct AlbumOpinion: Sendable, Equatable {
    /// The album artist that a split album should have, with its mark as a compilation; nil where it is not split, or it
    /// is not certain.
    public private(set) var unitedArtist: String?
    /// Whether the united album is a compilation.
    public private(set) var isCompilation = false
    /// The album artist for tracks that have none; nil where it is not certain.
    public private(set) var missingArtist: String?
    /// Whether those tracks are to be marked as a compilation.
    public private(set) var missingIsCompilation = false

    /// The name that taggers give to many artists at once.
    public static let variousArtists = "Various Artists"

    /// Asks the tracks.
    public init(tracks: [TrackTags]) {
        let named = tracks.compactMap(\.albumArtist)
        let names = Set(named.map(AlbumGrouping.folded))
        let flags = Set(tracks.map(\.isCompilation))
        let areOneAlbum = Self.areNumbered(tracks)
        if names.count >= 2, areOneAlbum {
            unite(tracks, named)
        } else if names.count == 1, flags.count == 2 {
            // Only the mark differs: most tracks are right.
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
            // An album of one artist with guests on a few tracks.
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
            // "A" and "A feat. B": the shortest is the name.
            missingArtist = artists.count == 1 ? Self.leader(first) : artists.map(Self.leader).first
        } else if areOneAlbum {
            missingArtist = Self.variousArtists
            missingIsCompilation = true
        }
    }

    /// Whether all tracks have numbers of their own, as those of one album have. Two albums of the same title in one folder
    /// have some numbers twice.
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

    /// The artist without guests.
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

    /// The year that most tracks of an album have: more than half of those that have one, two at least. Nil where there is
    /// none, for compilations too, whose tracks may each have their own.
    public static func year(of tracks: [TrackTags]) -> Int? {
        guard !tracks.contains(where: { $0.isCompilation || isVarious($0.albumArtist) }) else { return nil }
        let years = tracks.compactMap(\.year)
        let most = Dictionary(grouping: years) { $0 }.values.max { $0.count < $1.count } ?? []
        return most.count >= 2 && most.count * 2 > years.count ? most.first : nil
    }
}
