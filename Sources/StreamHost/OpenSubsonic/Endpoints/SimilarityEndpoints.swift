internal import Catalogue
internal import Companion
internal import LibraryStore
internal import MusicShared
internal import OpenSubsonic

/// Similar and popular songs, and facts about artists and albums. All from the library itself: no other service is asked.
struct SimilarityEndpoints: SubsonicEndpoints {
    let listening: AccountListening

    var handlers: [String: Handler] {
        [
            "getTopSongs": { try topSongs($0.request) },
            "getSimilarSongs": { try similarSongs($0.request, "similarSongs") },
            "getSimilarSongs2": { try similarSongs($0.request, "similarSongs2") },
            "getArtistInfo": { call in
                try artistInfo(call.request, "artistInfo") { try $0.artist($1).asFolder }
            },
            "getArtistInfo2": { call in try artistInfo(call.request, "artistInfo2") { try $0.artist($1) } },
            "getAlbumInfo": { try albumInfo($0.request) },
            "getAlbumInfo2": { try albumInfo($0.request) },
        ]
    }

    private func topSongs(_ request: SubsonicRequest) throws -> SubsonicAnswer {
        let count = try request.count("count", standard: 50, limit: ListEndpoints.sizeLimit)
        var wanted: Int?
        if let text = request.text("id"), !text.isEmpty {
            guard case .artist(let id) = try request.id() else { throw SubsonicError.noSuch("artist", text) }
            wanted = id
        }
        let name = wanted == nil ? try request.require("artist") : ""
        let songs = try listening.look { [wanted] reader -> [Child] in
            // An artist whom the library does not have has no songs; the protocol has no error for it.
            guard let id = try wanted ?? reader.catalogue.artistID(named: name) else { return [] }
            let items = SubsonicItems(reader: reader)
            return try items.songs(reader.topTracks(artistID: id, limit: count))
        }
        return .element("topSongs", SubsonicObject(list: "song", songs))
    }

    private func similarSongs(_ request: SubsonicRequest, _ name: String) throws -> SubsonicAnswer {
        let count = try request.count("count", standard: 50, limit: ListEndpoints.sizeLimit)
        let id = try request.id()
        let songs = try listening.look { reader in
            let (seed, artist) = try Self.seed(id, reader.catalogue)
            let items = SubsonicItems(reader: reader)
            return try items.songs(
                reader.catalogue.similarTracks(to: seed, artistID: artist, limit: count))
        }
        return .element(name, SubsonicObject(list: "song", songs))
    }

    /// The item that songs are compared with: a song, an album's first song, or an artist.
    private static func seed(
        _ id: ItemID, _ catalogue: CatalogueReader
    ) throws -> (track: TrackItem?, artist: Int?) {
        switch id {
        case .track(let number):
            if let track = try catalogue.track(id: number) { return (track, nil) }
        case .album(let number):
            if let album = try catalogue.album(id: number) { return (album.tracks?.first, album.artistID) }
        case .artist(let number):
            if try catalogue.artistItem(id: number) != nil { return (nil, number) }
        case .playlist, .station, .folder: break
        }
        throw SubsonicError.noSuch("song, album or artist", id.description)
    }

    private func artistInfo<Form: SubsonicRepresentable>(
        _ request: SubsonicRequest, _ name: String, _ form: (SubsonicItems, ArtistItem) throws -> Form
    ) throws -> SubsonicAnswer {
        let count = try request.count("count", standard: 20, limit: ListEndpoints.sizeLimit)
        let id = try request.id()
        let similar = try listening.look { reader in
            let (seed, artist) = try Self.seed(id, reader.catalogue)
            let items = SubsonicItems(reader: reader)
            guard let number = artist ?? seed?.artistID else { return [Form]() }
            return try reader.catalogue.similarArtistIDs(to: number, limit: count).compactMap {
                try reader.catalogue.artistItem(id: $0).map { try form(items, $0) }
            }
        }
        return .element(name, SubsonicObject(list: "similarArtist", similar))
    }

    private func albumInfo(_ request: SubsonicRequest) throws -> SubsonicAnswer {
        let id = try request.id()
        let info = try listening.look { reader in
            var number: Int?
            if case .album(let album) = id { number = album }
            if case .track(let track) = id { number = try reader.catalogue.track(id: track)?.albumID }
            guard let number, let details = try reader.catalogue.albumDetails(id: number) else {
                throw SubsonicError.noSuch("album", id.description)
            }
            var info = SubsonicObject()
            info.add("musicBrainzId", details.musicBrainzID)
            return info
        }
        return .element("albumInfo", info)
    }
}
