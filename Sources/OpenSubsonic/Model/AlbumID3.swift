/// An album by its tags.
package struct AlbumID3: SubsonicRepresentable, Equatable {
    /// The id.
    package var id: String
    /// The title.
    package var name: String
    /// The album artist.
    package var artist: String?
    /// The album artist's id.
    package var artistID: String?
    /// The cover's id.
    package var coverArt: String?
    /// Number of songs.
    package var songCount: Int
    /// Length in seconds.
    package var duration: Int
    /// Number of plays of all songs.
    package var playCount: Int?
    /// When it was added, in seconds since 1970.
    package var created: Double
    /// When it was starred, in seconds since 1970.
    package var starred: Double?
    /// When a song of it was last played, in seconds since 1970.
    package var played: Double?
    /// Rating from 1 to 5.
    package var userRating: Int?
    /// Year.
    package var year: Int?
    /// Genres, the most frequent first.
    package var genres: [String] = []
    /// The release's MusicBrainz identifier.
    package var musicBrainzID: String?
    /// Whether it is a compilation.
    package var isCompilation: Bool
    /// The songs; nil in lists of albums.
    package var songs: [Child]?

    /// Creates an album without details.
    package init(
        id: String, name: String, songCount: Int, duration: Int, created: Double, isCompilation: Bool
    ) {
        self.id = id
        self.name = name
        self.songCount = songCount
        self.duration = duration
        self.created = created
        self.isCompilation = isCompilation
    }

    /// The fields of an `AlbumID3`, or of an `AlbumID3WithSongs` where there are songs.
    package var object: SubsonicObject {
        var object = SubsonicObject()
        object.add("id", id)
        object.add("name", name)
        object.add("artist", artist)
        object.add("artistId", artistID)
        object.add("coverArt", coverArt)
        object.add("songCount", songCount)
        object.add("duration", duration)
        object.add("playCount", playCount)
        object.add("created", time: created)
        object.add("starred", time: starred)
        object.add("year", year)
        object.add("genre", genres.first)
        object.add("played", time: played)
        object.add("userRating", userRating)
        object.add("musicBrainzId", musicBrainzID)
        object.add("genres", genres.map(NamedItem.init))
        let artists = artistID.flatMap { id in artist.map { [ArtistReference(id: id, name: $0)] } }
        object.add("artists", artists ?? [])
        object.add("displayArtist", artist)
        object.add("releaseTypes", isCompilation ? ["Compilation"] : [])
        object.add("isCompilation", isCompilation)
        object.add("song", songs)
        return object
    }
}
