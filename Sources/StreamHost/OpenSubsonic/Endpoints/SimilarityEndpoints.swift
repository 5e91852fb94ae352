internal import Catalogue
internal import Companion
internal import LibraryStore
internal import MusicShared
internal import OpenSubsonic
internal import Threads

/// Similar songs by their sound, popular songs, and facts about artists and albums. All from the library itself: no other service is asked.
struct SimilarityEndpoints: SubsonicEndpoints {
    let listening: AccountListening
    let similar: SimilarTracks

    /// Number of an artist's or album's songs that others are compared with.
    private static let mostSeeds = 20

    var handlers: [String: Handler] {
        [
            "getTopSongs": { try topSongs($0.request) },
            "getSimilarSongs": limited { try similarSongs($0.request, "similarSongs") },
            "getSimilarSongs2": limited { try similarSongs($0.request, "similarSongs2") },
            "getSonicSimilarTracks": limited { try sonicSimilarTracks($0.request) },
            "findSonicPath": limited { try sonicPath($0.request) },
            "getArtistInfo": { call in
                try artistInfo(call.request, "artistInfo") { try $0.artist($1).asFolder }
            },
            "getArtistInfo2": { call in try artistInfo(call.request, "artistInfo2") { try $0.artist($1) } },
            "getAlbumInfo": { try albumInfo($0.request) },
            "getAlbumInfo2": { try albumInfo($0.request) },
        ]
    }

    /// A handler that may wait for the library's sounds.
    private func limited(
        _ handler: @escaping @Sendable (SubsonicCall) throws -> SubsonicAnswer
    ) -> Handler {
        { call in try await similar.limit.run { try handler(call) } }
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

    /// By sound where that is known, else by tags.
    private func similarSongs(_ request: SubsonicRequest, _ name: String) throws -> SubsonicAnswer {
        let count = try request.count("count", standard: 50, limit: ListEndpoints.sizeLimit)
        let id = try request.id()
        let sounds = try similar.current
        let songs = try listening.look { reader in
            let (seed, artist) = try Self.seed(id, reader.catalogue)
            let items = SubsonicItems(reader: reader)
            let seeds = Self.sounding(id, sounds)
            if !seeds.isEmpty {
                let found = sounds.similar(to: seeds, count: count)
                return try items.songs(reader.catalogue.tracks(ids: found.map(\.id)))
            }
            return try items.songs(
                reader.catalogue.similarTracks(to: seed, artistID: artist, limit: count))
        }
        return .element(name, SubsonicObject(list: "song", songs))
    }

    /// A song whose sound is known, or some of an album or artist.
    private static func sounding(_ id: ItemID, _ sounds: SoundLibrary) -> [Int] {
        let found: [SoundingTrack]
        switch id {
        case .track(let number): return sounds.contains(number) ? [number] : []
        case .album(let number): found = sounds.tracks.filter { $0.albumID == number }
        case .artist(let number): found = sounds.tracks.filter { $0.artistID == number }
        case .playlist, .station, .folder: return []
        }
        let step = max(1, (found.count + mostSeeds - 1) / mostSeeds)
        return stride(from: 0, to: found.count, by: step).map { found[$0].id }
    }

    private func sonicSimilarTracks(_ request: SubsonicRequest) throws -> SubsonicAnswer {
        let count = try request.count("count", standard: 10, limit: ListEndpoints.sizeLimit)
        let id = try song(request, "id")
        return try matches(similar.current.similar(to: [id], count: count))
    }

    private func sonicPath(_ request: SubsonicRequest) throws -> SubsonicAnswer {
        let count = max(2, try request.count("count", standard: 25, limit: ListEndpoints.sizeLimit))
        let start = try song(request, "startSongId")
        let end = try song(request, "endSongId")
        let path = try SonicPath(similar.current).tracks(from: start, to: end, count: count)
        // The protocol requires both ends, also where their sound is not known; -1 is its value for that.
        let ends = start == end ? [start] : [start, end]
        return try matches(path ?? ends.map { FoundTrack(id: $0, similarity: $0 == start ? 1 : -1) })
    }

    /// The ID of a song.
    /// - Throws: error 10 where the parameter is missing, 70 where there is no such song.
    private func song(_ request: SubsonicRequest, _ name: String) throws -> Int {
        let id = try request.trackID(name)
        guard try listening.look({ try $0.catalogue.track(id: id) }) != nil else {
            throw SubsonicError.noSuch("song", try request.require(name))
        }
        return id
    }

    private func matches(_ found: [FoundTrack]) throws -> SubsonicAnswer {
        let matches = try listening.look { reader -> [SonicMatch] in
            let items = SubsonicItems(reader: reader)
            let tracks = try reader.catalogue.tracks(ids: found.map(\.id))
            let similarities = Dictionary(found.map { ($0.id, $0.similarity) }) { first, _ in first }
            return zip(tracks, try items.songs(tracks)).map { track, song in
                SonicMatch(
                    entry: song, similarity: (similarities[track.id] ?? 0).rounded(to: 10_000))
            }
        }
        return .response(SubsonicResponse(list: "sonicMatch", matches))
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
