/// An artist by the tags.
package struct ArtistID3: SubsonicRepresentable, Equatable {
    /// The id.
    package var id: String
    /// The name.
    package var name: String
    /// The picture's id.
    package var coverArt: String?
    /// Number of albums.
    package var albumCount: Int
    /// When the artist was starred, in seconds since 1970.
    package var starred: Double?
    /// Rating from 1 to 5.
    package var userRating: Int?
    /// The albums; nil in lists of artists.
    package var albums: [AlbumID3]?

    /// Creates an artist without details.
    package init(id: String, name: String, albumCount: Int) {
        self.id = id
        self.name = name
        self.albumCount = albumCount
    }

    /// The fields of an `ArtistID3`, or of an `ArtistWithAlbumsID3` where there are albums.
    package var object: SubsonicObject {
        var object = SubsonicObject()
        object.add("id", id)
        object.add("name", name)
        object.add("coverArt", coverArt)
        object.add("albumCount", albumCount)
        object.add("starred", time: starred)
        object.add("userRating", userRating)
        object.add("album", albums)
        return object
    }

    /// The same artist as a folder at the top of the library.
    package var asFolder: ArtistFolder {
        ArtistFolder(id: id, name: name, starred: starred, userRating: userRating)
    }
}

/// An artist as a folder.
package struct ArtistFolder: SubsonicRepresentable, Equatable {
    let id: String
    let name: String
    let starred: Double?
    let userRating: Int?

    /// The fields of an `Artist`.
    package var object: SubsonicObject {
        var object = SubsonicObject()
        object.add("id", id)
        object.add("name", name)
        object.add("starred", time: starred)
        object.add("userRating", userRating)
        return object
    }
}

/// Artists whose names begin with the same letter.
package struct ArtistIndex<Artist: SubsonicRepresentable & Equatable>: SubsonicRepresentable, Equatable {
    private let name: String
    private let artists: [Artist]

    /// Creates an entry of an index.
    /// - Parameter name: the letter, or "#" for all that do not begin with a letter.
    package init(name: String, artists: [Artist]) {
        self.name = name
        self.artists = artists
    }

    /// The fields of an `Index` or `IndexID3`.
    package var object: SubsonicObject {
        var object = SubsonicObject()
        object.add("name", name)
        object.add("artist", artists)
        return object
    }
}
