internal import Catalogue
internal import Companion
internal import Foundation
internal import LibraryStore
internal import MusicShared
internal import OpenSubsonic

/// Artists, albums, songs and genres, and the same as directories.
struct BrowsingEndpoints: SubsonicEndpoints {
    let listening: AccountListening
    /// Name of the music folder.
    let folderName: String

    var handlers: [String: Handler] {
        [
            "getMusicFolders": { _ in
                var folder = SubsonicObject()
                folder.add("id", ItemID.folderNumber)
                folder.add("name", folderName)
                return .element("musicFolders", SubsonicObject(list: "musicFolder", [folder]))
            },
            "getIndexes": { try indexes($0) },
            "getArtists": { _ in try artists() },
            "getMusicDirectory": { .element("directory", try directory($0.request)) },
            "getArtist": { .element("artist", try artist($0.request)) },
            "getAlbum": { .element("album", try album($0.request)) },
            "getSong": { .element("song", try song($0.request)) },
            "getGenres": { _ in try genres() },
        ]
    }

    // MARK: - Artists

    private func artists() throws -> SubsonicAnswer {
        let artists = try listening.look { try Self.allArtists($0) }
        var result = SubsonicObject()
        result.add("ignoredArticles", "")
        result.add("index", Self.index(artists) { $0 })
        return .element("artists", result)
    }

    private func indexes(_ call: SubsonicCall) throws -> SubsonicAnswer {
        let since = try call.request.integer("ifModifiedSince") ?? 0
        let (changed, artists) = try listening.look { reader in
            let changed = try reader.catalogue.lastChangeMilliseconds
            return (changed, changed > since ? try Self.allArtists(reader) : [])
        }
        var result = SubsonicObject()
        result.add("ignoredArticles", "")
        result.add("lastModified", changed)
        result.add("index", Self.index(artists) { $0.asFolder })
        return .element("indexes", result)
    }

    /// All artists by name, with their states.
    private static func allArtists(_ reader: ListeningReader) throws -> [ArtistID3] {
        let items = SubsonicItems(reader: reader)
        return try items.artists(reader.catalogue.allArtists())
    }

    /// Groups artists, which are sorted by name, by the first letters of their names.
    private static func index<Artist>(
        _ artists: [ArtistID3], _ form: (ArtistID3) -> Artist
    ) -> [ArtistIndex<Artist>] {
        var groups: [(letter: String, artists: [Artist])] = []
        var places: [String: Int] = [:]
        // Places by the character that names begin with: few are found by their letter, which takes tables of Unicode.
        var known: [Character: Int] = [:]
        for artist in artists {
            let first = artist.name.first { !$0.isWhitespace } ?? "#"
            if let place = known[first] {
                groups[place].artists.append(form(artist))
                continue
            }
            let letter = letter(of: first)
            let place = places[letter] ?? groups.count
            if place == groups.count { groups.append((letter, [])) }
            (places[letter], known[first]) = (place, place)
            groups[place].artists.append(form(artist))
        }
        return groups.map { ArtistIndex(name: $0.letter, artists: $0.artists) }
    }

    /// The letter that stands for a character: without accents, in capitals; "#" for one that is not a letter.
    private static func letter(of character: Character) -> String {
        guard character.isLetter else { return "#" }
        let base = String(character).decomposedStringWithCompatibilityMapping.unicodeScalars.first
        return base.map { String($0).uppercased() } ?? "#"
    }

    private func artist(_ request: SubsonicRequest) throws -> ArtistID3 {
        guard case .artist(let id) = try request.id() else { throw Self.missing("artist", request) }
        return try listening.look { reader in
            guard let item = try reader.catalogue.artist(id: id) else {
                throw Self.missing("artist", request)
            }
            let items = SubsonicItems(reader: reader)
            var artist = try items.artist(item)
            artist.albums = try items.albums(item.albums ?? [])
            return artist
        }
    }

    // MARK: - Albums and songs

    private func album(_ request: SubsonicRequest) throws -> AlbumID3 {
        guard case .album(let id) = try request.id() else { throw Self.missing("album", request) }
        return try listening.look { reader in
            guard let item = try reader.catalogue.album(id: id) else { throw Self.missing("album", request) }
            let items = SubsonicItems(reader: reader)
            var album = try items.album(item)
            album.songs = try items.songs(item.tracks ?? [])
            return album
        }
    }

    private func song(_ request: SubsonicRequest) throws -> Child {
        let id = try request.trackID()
        return try listening.look { reader in
            guard let track = try reader.track(id: id), track.isAvailable else {
                throw Self.missing("song", request)
            }
            return try SubsonicItems(reader: reader).song(track)
        }
    }

    private func genres() throws -> SubsonicAnswer {
        let genres = try listening.look { try $0.catalogue.genres() }.map { genre in
            var object = SubsonicObject()
            object.add("songCount", genre.trackCount)
            object.add("albumCount", genre.albumCount)
            object.add(content: genre.name)
            return object
        }
        return .element("genres", SubsonicObject(list: "genre", genres))
    }

    // MARK: - Directories

    /// The music folder holds artists, an artist albums, an album songs.
    private func directory(_ request: SubsonicRequest) throws -> SubsonicObject {
        let id = try request.id()
        return try listening.look { reader in
            let items = SubsonicItems(reader: reader)
            var directory = SubsonicObject()
            directory.add("id", id.description)
            switch id {
            case .folder:
                directory.add("name", folderName)
                directory.add("child", try items.directories(reader.catalogue.allArtists()))
            case .artist(let number):
                guard let item = try reader.catalogue.artist(id: number) else {
                    throw Self.missing("directory", request)
                }
                let artist = try items.artist(item)
                directory.add("parent", ItemID.folder.description)
                directory.add("name", artist.name)
                directory.add("starred", time: artist.starred)
                directory.add("userRating", artist.userRating)
                directory.add("child", try items.folders(item.albums ?? []))
            case .album(let number):
                guard let item = try reader.catalogue.album(id: number) else {
                    throw Self.missing("directory", request)
                }
                let album = try items.album(item)
                directory.add("parent", album.artistID ?? ItemID.folder.description)
                directory.add("name", album.name)
                directory.add("starred", time: album.starred)
                directory.add("userRating", album.userRating)
                directory.add("playCount", album.playCount)
                directory.add("child", try items.songs(item.tracks ?? []))
            case .track, .playlist, .station: throw Self.missing("directory", request)
            }
            return directory
        }
    }

    private static func missing(_ kind: String, _ request: SubsonicRequest) -> SubsonicError {
        .noSuch(kind, request.text("id") ?? "")
    }
}
