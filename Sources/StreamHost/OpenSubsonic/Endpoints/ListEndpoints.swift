internal import Catalogue
internal import Companion
internal import Foundation
internal import LibraryStore
internal import MusicShared
internal import OpenSubsonic

/// Lists of albums and songs: by kind, genre and star, and random ones.
struct ListEndpoints: SubsonicEndpoints {
    /// The most items that one request returns, as the protocol says.
    static let sizeLimit = 500
    /// The most starred items that one request returns: the protocol has no pages for them.
    private static let starredLimit = 100_000

    let listening: AccountListening

    var handlers: [String: Handler] {
        [
            "getAlbumList": { call in
                try albums("albumList", call.request) { try $0.folders($1) }
            },
            "getAlbumList2": { call in
                try albums("albumList2", call.request) { try $0.albums($1) }
            },
            "getRandomSongs": { try songs("randomSongs", randomSongs($0.request)) },
            "getSongsByGenre": { try songs("songsByGenre", songsByGenre($0.request)) },
            "getStarred": { _ in
                try starred("starred") {
                    try $0.artists($1).map(\.asFolder)
                } albums: {
                    try $0.folders($1)
                }
            },
            "getStarred2": { _ in
                try starred("starred2") {
                    try $0.artists($1)
                } albums: {
                    try $0.albums($1)
                }
            },
            "getNowPlaying": { try nowPlaying($0) },
        ]
    }

    private func albums<Form: SubsonicRepresentable>(
        _ name: String, _ request: SubsonicRequest, _ form: (SubsonicItems, [AlbumItem]) throws -> [Form]
    ) throws -> SubsonicAnswer {
        let find = try albums(request)
        let found = try listening.look { reader in
            try form(SubsonicItems(reader: reader), find(reader))
        }
        return .element(name, SubsonicObject(list: "album", found))
    }

    private func songs(
        _ name: String, _ find: (ListeningReader) throws -> [TrackItem]
    ) throws -> SubsonicAnswer {
        let songs = try listening.look { try SubsonicItems(reader: $0).songs(find($0)) }
        return .element(name, SubsonicObject(list: "song", songs))
    }

    // MARK: - Albums

    private enum AlbumListType: String {
        case random, newest, highest, frequent, recent, alphabeticalByName, alphabeticalByArtist, starred
        case byYear, byGenre
    }

    /// Returns what finds the albums that a request asks for.
    private func albums(_ request: SubsonicRequest) throws -> (ListeningReader) throws -> [AlbumItem] {
        let name = try request.require("type")
        guard let type = AlbumListType(rawValue: name) else {
            throw SubsonicError(.generic, "There is no album list of the type \"\(name.prefix(100))\".")
        }
        let size = try request.count("size", standard: 10, limit: Self.sizeLimit)
        let offset = try request.offset()
        func sorted(
            _ sort: AlbumSort, descending: Bool = false, genre: String? = nil
        ) -> (ListeningReader) throws -> [AlbumItem] {
            { reader in
                var query = CatalogueQuery(sort: sort, limit: size)
                query.isDescending = descending
                query.offset = offset
                query.genre = genre
                return try reader.catalogue.albums(query).items
            }
        }
        func listened(_ list: ListeningList) -> (ListeningReader) throws -> [AlbumItem] {
            { try $0.albums(list, limit: size, offset: offset).items }
        }
        func numbered(_ find: @escaping (CatalogueReader) throws -> [Int]) -> (ListeningReader) throws ->
            [AlbumItem]
        {
            { reader in try reader.albums(ids: find(reader.catalogue)) }
        }
        switch type {
        case .random: return numbered { try $0.randomAlbumIDs(limit: size) }
        case .newest: return sorted(.added, descending: true)
        case .highest: return listened(.rated)
        case .frequent: return listened(.mostPlayed)
        case .recent: return listened(.recentlyPlayed)
        case .starred: return listened(.starred)
        case .alphabeticalByName: return sorted(.title)
        case .alphabeticalByArtist: return sorted(.artist)
        case .byYear:
            let (from, to) = (try request.requireInteger("fromYear"), try request.requireInteger("toYear"))
            return numbered { try $0.albumIDs(fromYear: from, toYear: to, limit: size, offset: offset) }
        case .byGenre: return sorted(.title, genre: try request.require("genre"))
        }
    }

    // MARK: - Songs

    private func randomSongs(_ request: SubsonicRequest) throws -> (ListeningReader) throws -> [TrackItem] {
        let size = try request.count("size", standard: 10, limit: Self.sizeLimit)
        var pick = RandomPick()
        pick.genre = request.text("genre").flatMap { $0.isEmpty ? nil : $0 }
        pick.fromYear = try request.integer("fromYear")
        pick.toYear = try request.integer("toYear")
        let wanted = pick
        return { try $0.catalogue.randomTracks(wanted, limit: size) }
    }

    private func songsByGenre(_ request: SubsonicRequest) throws -> (ListeningReader) throws -> [TrackItem] {
        let count = try request.count("count", standard: 10, limit: Self.sizeLimit)
        var query = CatalogueQuery(sort: TrackSort.album, limit: count)
        query.genre = try request.require("genre")
        query.offset = try request.offset()
        let wanted = query
        return { try $0.catalogue.tracks(wanted).items }
    }

    // MARK: - Stars and players

    private func starred<Artist: SubsonicRepresentable, Album: SubsonicRepresentable>(
        _ name: String, artists: (SubsonicItems, [ArtistItem]) throws -> [Artist],
        albums: (SubsonicItems, [AlbumItem]) throws -> [Album]
    ) throws -> SubsonicAnswer {
        let limit = Self.starredLimit
        let object = try listening.look { reader in
            let items = SubsonicItems(reader: reader)
            var object = SubsonicObject()
            object.add("artist", try artists(items, reader.starredArtists(limit: limit)))
            object.add("album", try albums(items, reader.albums(.starred, limit: limit, offset: 0).items))
            object.add("song", try items.songs(.starred, limit: limit))
            return object
        }
        return .element(name, object)
    }

    private func nowPlaying(_ call: SubsonicCall) throws -> SubsonicAnswer {
        let playing = try listening.nowPlaying().items
        let sessions = listening.playbackSessions()
        let time = Date()
        let now = time.timeIntervalSince1970
        let entries = try listening.look { reader in
            let songs = try SubsonicItems(reader: reader).songs(playing.map(\.track))
            return zip(playing, songs).enumerated().map { number, pair in
                let (item, song) = pair
                var entry = song.object
                entry.add("username", call.account.name)
                entry.add("minutesAgo", max(0, Int((now - item.startedAt) / 60)))
                entry.add("playerId", number + 1)
                entry.add("playerName", item.client)
                if let session = sessions[item.client], session.report.trackID == item.track.id {
                    let position = session.position(at: time)
                    entry.add("state", session.report.state.rawValue)
                    entry.add("positionMs", SubsonicClock.milliseconds(position))
                    entry.add("playbackRate", session.report.rate)
                }
                return entry
            }
        }
        return .element("nowPlaying", SubsonicObject(list: "entry", entries))
    }
}
