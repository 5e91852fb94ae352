import Companion
import Tagging
import Testing

/// What an album's tracks should say, by what they say.
@Suite("Album opinions")
struct AlbumOpinionTests {
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

    @Test("An album split by its tracks' own artists becomes a compilation")
    func split() {
        let opinion = AlbumOpinion(
            tracks: ["A", "B", "C"].enumerated().map {
                track($0 + 1, $1, albumArtist: $1)
            })
        #expect(opinion.unitedArtist == "Various Artists" && opinion.isCompilation)
        // As somebody has begun to call it.
        let begun = AlbumOpinion(tracks: [
            track(1, "A", albumArtist: "VARIOUS", isCompilation: true), track(2, "B", albumArtist: "B"),
        ])
        #expect(begun.unitedArtist == "VARIOUS" && begun.isCompilation)
    }

    @Test("Guests on an artist's album leave it to the artist")
    func guests() {
        let opinion = AlbumOpinion(tracks: [
            track(1, albumArtist: "A"), track(2, albumArtist: "A"), track(3, "A & B", albumArtist: "A & B"),
        ])
        #expect(opinion.unitedArtist == "A" && !opinion.isCompilation)
    }

    @Test("Two albums of one title in a folder are not made one: their numbers occur twice, or are missing")
    func twoAlbums() {
        let two = AlbumOpinion(
            tracks: ["A", "B"].flatMap { artist in
                (1...3).map { track($0, artist, albumArtist: artist) }
            })
        #expect(two.unitedArtist == nil && two.missingArtist == nil)
        let unnumbered = AlbumOpinion(tracks: ["A", "B"].map { track(nil, $0, albumArtist: $0) })
        #expect(unnumbered.unitedArtist == nil)
        let unnamed = AlbumOpinion(tracks: ["A", "B"].map { track(1, $0) })
        #expect(unnamed.unitedArtist == nil && unnamed.missingArtist == nil)
    }

    @Test("A missing album artist is the one that the others have, or the artist of all, or various")
    func missing() {
        #expect(AlbumOpinion(tracks: [track(1, albumArtist: "X"), track(2, "B")]).missingArtist == "X")
        let one = AlbumOpinion(tracks: [track(1), track(2, "A feat. B"), track(3, "a ft. C")])
        #expect(one.missingArtist == "A" && !one.missingIsCompilation)
        let various = AlbumOpinion(tracks: [track(1, "A"), track(2, "B")])
        #expect(various.missingArtist == "Various Artists" && various.missingIsCompilation)
        #expect(AlbumOpinion(tracks: [track(1), track(2, nil)]).missingArtist == nil)
        #expect(AlbumOpinion(tracks: [track(1, albumArtist: "A")]).unitedArtist == nil)
    }

    @Test("The year is that of most tracks; without a majority, or in a compilation, there is none")
    func years() {
        func year(_ years: [Int?], isCompilation: Bool = false) -> Int? {
            AlbumOpinion.year(of: years.map { track(1, year: $0, isCompilation: isCompilation) })
        }
        #expect(year([1999, 1999, 2011]) == 1999 && year([1999, 1999, nil]) == 1999)
        #expect(year([1999, 2011]) == nil && year([1999, 1999, 2011, 2011]) == nil)
        #expect(year([1999]) == nil && year([nil, nil]) == nil && year([1999, nil, nil]) == nil)
        #expect(year([1999, 1999, 2011], isCompilation: true) == nil)
    }
}
