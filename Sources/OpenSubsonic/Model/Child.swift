/// A song, or an album or artist shown as a folder.
package struct Child: SubsonicRepresentable, Equatable {
    /// The id.
    package var id: String
    /// The folder that holds it.
    package var parent: String?
    /// Whether it is a folder.
    package var isDirectory: Bool
    /// The title.
    package var title: String
    /// The album's title.
    package var album: String?
    /// Number of songs; of albums only.
    package var songCount: Int?
    /// The artists as one text.
    package var artist: String?
    /// Number on the disc.
    package var track: Int?
    /// Year.
    package var year: Int?
    /// Genre.
    package var genre: String?
    /// The cover's id.
    package var coverArt: String?
    /// Size of the file in bytes.
    package var size: Int?
    /// The file's media type.
    package var contentType: String?
    /// The file's extension.
    package var suffix: String?
    /// Length in seconds.
    package var duration: Int?
    /// Bit rate in kilobits per second.
    package var bitRate: Int?
    /// Sample rate in Hz.
    package var samplingRate: Int?
    /// Bits per sample; nil where the format has none.
    package var bitDepth: Int?
    /// Channels.
    package var channelCount: Int?
    /// Path in the music folder.
    package var path: String?
    /// Rating from 1 to 5.
    package var userRating: Int?
    /// Number of plays.
    package var playCount: Int?
    /// Disc number.
    package var discNumber: Int?
    /// When it was added, in seconds since 1970.
    package var created: Double?
    /// When it was starred, in seconds since 1970.
    package var starred: Double?
    /// When it was last played, in seconds since 1970.
    package var played: Double?
    /// The album's id.
    package var albumID: String?
    /// The artist's id.
    package var artistID: String?
    /// "song", "album" or "artist".
    package var mediaType: String
    /// Tempo in beats per minute.
    package var bpm: Int?
    /// The comment in the tags.
    package var comment: String?
    /// The track's artists.
    package var artists: [ArtistReference] = []
    /// The album's artists.
    package var albumArtists: [ArtistReference] = []
    /// The album's artists as one text.
    package var displayAlbumArtist: String?
    /// The composer.
    package var composer: String?
    /// Title to sort by; of songs only.
    package var sortName: String?
    /// The MusicBrainz id; of songs only.
    package var musicBrainzID: String?
    /// International standard recording codes; of songs only.
    package var isrcs: [String] = []
    /// Moods; of songs only.
    package var moods: [String] = []
    /// "explicit", "clean" or nil; of songs only.
    package var explicitStatus: String?
    /// People who contributed, apart from artists and composer, in the order in which they are listed.
    package var contributors: [Contributor] = []
    /// Loudness for playback at an even level; of songs only.
    package var replayGain: ReplayGain?
    /// Position of the listener's bookmark in milliseconds.
    package var bookmarkPosition: Int?

    /// Creates a song or folder without details.
    package init(id: String, isDirectory: Bool, title: String, mediaType: String) {
        self.id = id
        self.isDirectory = isDirectory
        self.title = title
        self.mediaType = mediaType
    }

    /// The fields of a `Child`.
    package var object: SubsonicObject {
        var object = SubsonicObject(room: 40)
        object.add("id", id)
        object.add("parent", parent)
        object.add("isDir", isDirectory)
        object.add("title", title)
        // Clients read folders of albums with the fields of an album, too.
        if isDirectory { object.add("name", title) }
        object.add("songCount", songCount)
        object.add("album", album)
        object.add("artist", artist)
        object.add("track", track)
        object.add("year", year)
        object.add("genre", genre)
        object.add("coverArt", coverArt)
        addFile(to: &object)
        object.add("isVideo", false)
        object.add("userRating", userRating)
        object.add("playCount", playCount)
        object.add("discNumber", discNumber)
        object.add("created", time: created)
        object.add("starred", time: starred)
        object.add("played", time: played)
        object.add("albumId", albumID)
        object.add("artistId", artistID)
        object.add("type", "music")
        object.add("mediaType", mediaType)
        addDetails(to: &object)
        return object
    }

    private func addFile(to object: inout SubsonicObject) {
        object.add("size", size)
        object.add("contentType", contentType)
        object.add("suffix", suffix)
        object.add("duration", duration)
        object.add("bitRate", bitRate)
        object.add("samplingRate", samplingRate)
        object.add("bitDepth", bitDepth)
        object.add("channelCount", channelCount)
        object.add("path", path)
    }

    /// The fields that OpenSubsonic adds. Lists that this server fills are always there, empty ones too.
    private func addDetails(to object: inout SubsonicObject) {
        object.add("bookmarkPosition", bookmarkPosition)
        object.add("bpm", bpm)
        object.add("comment", comment)
        object.add("genres", genre.map { [NamedItem($0)] } ?? [])
        object.add("artists", artists)
        object.add("displayArtist", artist)
        object.add("albumArtists", albumArtists)
        object.add("displayAlbumArtist", displayAlbumArtist)
        object.add(
            "contributors",
            (composer.map { [Contributor(role: "composer", name: $0)] } ?? []) + contributors)
        object.add("displayComposer", composer)
        guard !isDirectory else { return }
        object.add("sortName", sortName ?? "")
        object.add("musicBrainzId", musicBrainzID ?? "")
        object.add("isrc", isrcs)
        object.add("moods", moods)
        object.add("explicitStatus", explicitStatus ?? "")
        object.add("replayGain", replayGain ?? ReplayGain())
    }
}

/// Loudness of a song as ReplayGain.
package struct ReplayGain: SubsonicRepresentable, Equatable {
    /// Gain of the track in dB.
    package var trackGain: Double?
    /// Gain of the album in dB.
    package var albumGain: Double?
    /// Highest sample of the track, 1 for full scale.
    package var trackPeak: Double?
    /// Highest sample of the album, 1 for full scale.
    package var albumPeak: Double?

    /// Creates values of a song that is not measured yet.
    package init() {}

    /// The fields of a `ReplayGain`.
    package var object: SubsonicObject {
        var object = SubsonicObject()
        object.add("trackGain", trackGain)
        object.add("albumGain", albumGain)
        object.add("trackPeak", trackPeak)
        object.add("albumPeak", albumPeak)
        return object
    }
}

/// An item that has only a name, such as a genre of a song.
package struct NamedItem: SubsonicRepresentable, Equatable {
    private let name: String

    /// Names the item.
    package init(_ name: String) { self.name = name }

    /// The name.
    package var object: SubsonicObject {
        var object = SubsonicObject()
        object.add("name", name)
        return object
    }
}

/// An artist with id and name only.
package struct ArtistReference: SubsonicRepresentable, Equatable {
    private let id: String
    private let name: String

    /// Refers to an artist.
    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }

    /// Id and name.
    package var object: SubsonicObject {
        var object = SubsonicObject()
        object.add("id", id)
        object.add("name", name)
        return object
    }
}

/// Someone who contributed to a song and is not in the catalogue of artists.
package struct Contributor: SubsonicRepresentable, Equatable {
    private let role: String
    private let name: String

    /// Names a person and the role in the song, such as "lyricist".
    package init(role: String, name: String) {
        self.role = role
        self.name = name
    }

    /// Role and name.
    package var object: SubsonicObject {
        var object = SubsonicObject()
        object.add("role", role)
        // The library has no entry for composers: an empty id says that there is nothing to open.
        object.add("artist", ArtistReference(id: "", name: name))
        return object
    }
}
