internal import APIDescription
internal import Catalogue
internal import Companion
internal import HostAccounts
internal import HTTPServer
internal import LibraryStore
internal import MusicShared
internal import Threads

/// Serves tracks by their sound: similar ones, endless radios, paths from one to another, and a map of all.
struct SimilarityRoutes: DescribedRoutes {
    /// Number of a listener's latest plays that a radio avoids.
    private static let recentPlays = 100

    let library: LibraryStore
    let listening: ListeningStore
    let similar: SimilarTracks

    func add(to routes: some RouteCollection) {
        let handlers: [(String, @Sendable (HTTPRequest) throws -> HTTPResponse)] = [
            (Routes.similarTracks, similarTracks), (Routes.radio, radio), (Routes.path, path),
            (Routes.libraryMap, map),
        ]
        for (path, handler) in handlers {
            routes.get(path) { request in try await similar.limit.run { try handler(request) } }
        }
    }

    private func map(_ request: HTTPRequest) throws -> HTTPResponse {
        let limit = try request.value(Self.mapLimit)
        return try .json(SoundMap(similar.currentMap, limit: limit), taggedAs: "m1")
    }

    private func similarTracks(_ request: HTTPRequest) throws -> HTTPResponse {
        let (count, otherArtists) = (
            try request.value(Self.count), try request.value(Self.otherArtists)
        )
        let id: Int = try request.parameters.require("track_id")
        let sounds = try similar.current
        try requireSound(ofTrack: id, sounds, field: "track_id")
        return try items(sounds.similar(to: [id], count: count, otherArtists: otherArtists))
    }

    private func path(_ request: HTTPRequest) throws -> HTTPResponse {
        let (from, to) = (try request.value(Self.from), try request.value(Self.to))
        let count = try request.value(Self.pathCount)
        let sounds = try similar.current
        try requireSound(ofTrack: from, sounds, field: Self.from.name)
        try requireSound(ofTrack: to, sounds, field: Self.to.name)
        return try items(SonicPath(sounds).tracks(from: from, to: to, count: count) ?? [])
    }

    private func radio(_ request: HTTPRequest) throws -> HTTPResponse {
        let count = try request.value(Self.count)
        let cursor = try request.value(Self.cursor) ?? RadioCursor(seed: UInt64.random(in: 0..<1 << 40))
        let sounds = try similar.current
        let seeds = try seeds(request, sounds)
        let own = listening.account(try request.caller.accountID)
        let recent = try own.look { try $0.history(PlayRange(), limit: Self.recentPlays, offset: 0).items }
        let planner = RadioPlanner(sounds, seeds: seeds, recent: recent.compactMap(\.track?.id))
        let ids = planner.next(
            count, after: cursor.trackIDs, position: cursor.position, seed: cursor.seed)
        let tracks = try library.catalogue { try $0.tracks(ids: ids) }
        return try .json(RadioPage(items: tracks, nextCursor: cursor.advanced(by: ids).text))
    }

    /// The tracks that a radio starts from.
    private func seeds(_ request: HTTPRequest, _ sounds: SoundLibrary) throws -> [Int] {
        let (track, artist) = (try request.value(Self.track), try request.value(Self.artist))
        let (album, genre) = (try request.value(Self.album), try request.value(Self.genre)?.lowercased())
        let given = [
            (Self.track.name, track != nil), (Self.artist.name, artist != nil),
            (Self.album.name, album != nil), (Self.genre.name, genre != nil),
        ].filter(\.1).map(\.0)
        guard given.count == 1 else {
            throw APIError.invalidParameter(
                "Give exactly one of track, artist, album and genre.", field: given.last ?? Self.track.name)
        }
        if let track {
            try requireSound(ofTrack: track, sounds, field: Self.track.name)
            return [track]
        }
        // Neighbours in the list are mostly of one album, and have the same genre.
        var former: (genre: String?, isWanted: Bool) = (nil, false)
        let found = sounds.tracks.filter { track in
            if let artist { return track.artistID == artist }
            if let album { return track.albumID == album }
            if track.genre != former.genre { former = (track.genre, track.genre?.lowercased() == genre) }
            return former.isWanted
        }
        guard !found.isEmpty else {
            if artist != nil {
                throw APIError.noSuchArtist("No analysed track has this artist.", field: "artist")
            }
            if album != nil {
                throw APIError.noSuchAlbum("No analysed track has this album.", field: "album")
            }
            throw APIError.noSuchGenre("No analysed track has this genre.", field: "genre")
        }
        return found.map(\.id)
    }

    private func requireSound(ofTrack id: Int, _ sounds: SoundLibrary, field: String) throws {
        guard !sounds.contains(id) else { return }
        guard try library.catalogue({ try $0.track(id: id) }) != nil else {
            throw APIError.noSuchTrack("There is no track \(id).", field: field)
        }
        throw APIError.notAnalysed(
            "The sound of track \(id) is not known: it is not analysed yet, or too short.", field: field)
    }

    private func items(_ found: [FoundTrack]) throws -> HTTPResponse {
        let tracks = try library.catalogue { try $0.tracks(ids: found.map(\.id)) }
        let similarities = Dictionary(found.map { ($0.id, $0.similarity) }) { first, _ in first }
        let items = tracks.map { track in
            SimilarItem(track: track, similarity: (similarities[track.id] ?? 0).rounded(to: 10_000))
        }
        return try .json(SimilarItems(items: items), taggedAs: "n1")
    }
}
