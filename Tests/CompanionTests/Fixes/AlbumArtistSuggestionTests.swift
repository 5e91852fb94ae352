import Companion
import MusicFiles
import Tagging
import Testing

/// The opinion on an album, derived from the tags of its tracks.
@Suite("Album opinions")
struct AlbumArtistSuggestionTests {
    private func track(
        _ number: Int?, _ artist: String? = "A", albumArtist: String? = nil, year: Int? = nil,
        isCompilation: Bool = false
    ) -> TrackTags {
        var tags = TrackTags()
        tags.album = "Album"
        tags.track.number = number
        tags.artist = artist
        tags.albumArtist = albumArtist
        tags.year = year
        tags.isCompilation = isCompilation
        return tags
    }

    @Test("An album split by the artists of its tracks becomes a compilation")
    func split() {
        let opinion = AlbumArtistSuggestion(
            tracks: ["A", "B", "C"].enumerated().map {
                track($0 + 1, $1, albumArtist: $1)
            })
        #expect(opinion.unitedArtist == "Various Artists" && opinion.isCompilation)
        // A name for various artists that is already in use is kept.
        let begun = AlbumArtistSuggestion(tracks: [
            track(1, "A", albumArtist: "VARIOUS", isCompilation: true), track(2, "B", albumArtist: "B"),
        ])
        #expect(begun.unitedArtist == "VARIOUS" && begun.isCompilation)
    }

    @Test("An artist's album with guests stays with the artist")
    func guests() {
        let opinion = AlbumArtistSuggestion(tracks: [
            track(1, albumArtist: "A"), track(2, albumArtist: "A"), track(3, "A & B", albumArtist: "A & B"),
        ])
        #expect(opinion.unitedArtist == "A" && !opinion.isCompilation)
    }

    @Test("Two albums with one title in a folder are not merged: track numbers are repeated or missing")
    func twoAlbums() {
        let two = AlbumArtistSuggestion(
            tracks: ["A", "B"].flatMap { artist in
                (1...3).map { track($0, artist, albumArtist: artist) }
            })
        #expect(two.unitedArtist == nil && two.missingArtist == nil)
        let unnumbered = AlbumArtistSuggestion(tracks: ["A", "B"].map { track(nil, $0, albumArtist: $0) })
        #expect(unnumbered.unitedArtist == nil)
        let unnamed = AlbumArtistSuggestion(tracks: ["A", "B"].map { track(1, $0) })
        #expect(unnamed.unitedArtist == nil && unnamed.missingArtist == nil)
    }

    @Test("A missing album artist becomes that of the other tracks, the artist of all, or various artists")
    func missing() {
        #expect(
            AlbumArtistSuggestion(tracks: [track(1, albumArtist: "X"), track(2, "B")]).missingArtist == "X")
        let one = AlbumArtistSuggestion(tracks: [track(1), track(2, "A feat. B"), track(3, "a ft. C")])
        #expect(one.missingArtist == "A" && !one.missingIsCompilation)
        let various = AlbumArtistSuggestion(tracks: [track(1, "A"), track(2, "B")])
        #expect(various.missingArtist == "Various Artists" && various.missingIsCompilation)
        #expect(AlbumArtistSuggestion(tracks: [track(1), track(2, nil)]).missingArtist == nil)
        #expect(AlbumArtistSuggestion(tracks: [track(1, albumArtist: "A")]).unitedArtist == nil)
    }

    @Test("The year is that of most tracks, nil without a majority or for a compilation")
    func years() {
        func year(_ years: [Int?], isCompilation: Bool = false) -> Int? {
            AlbumArtistSuggestion.year(of: years.map { track(1, year: $0, isCompilation: isCompilation) })
        }
        #expect(year([1999, 1999, 2011]) == 1999 && year([1999, 1999, nil]) == 1999)
        #expect(year([1999, 2011]) == nil && year([1999, 1999, 2011, 2011]) == nil)
        #expect(year([1999]) == nil && year([nil, nil]) == nil && year([1999, nil, nil]) == nil)
        #expect(year([1999, 1999, 2011], isCompilation: true) == nil)
    }
}
