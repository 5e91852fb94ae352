internal import Catalogue
internal import Companion
internal import HTTPServer
internal import MusicShared
internal import OpenSubsonic

/// The owner's playlists.
struct PlaylistEndpoints: SubsonicEndpoints {
    let library: LibraryStore
    let listening: ListeningStore

    var handlers: [String: Handler] {
        [
            "getPlaylists": { try list($0) },
            "getPlaylist": { call in try answer(id(call.request, "id"), call) },
            "createPlaylist": { try create($0) },
            "updatePlaylist": { try update($0) },
            "deletePlaylist": { call in
                try library.removePlaylist(id: try id(call.request, "id"))
                return .empty
            },
        ]
    }

    private func id(_ request: SubsonicRequest, _ name: String) throws(SubsonicError) -> Int {
        guard case .playlist(let id) = try request.id(name) else {
            throw .noSuch("playlist", try request.require(name))
        }
        return id
    }

    private func list(_ call: SubsonicCall) throws -> SubsonicAnswer {
        // Only the account's own playlists exist: another account has none.
        let isOther = call.request.text("username").map { $0 != call.account } ?? false
        let query = CatalogueQuery(sort: PlaylistSort.name, limit: Int(Int32.max))
        let items = isOther ? [] : try library.catalogue { try $0.playlists(query).items }
        let playlists = items.map { SubsonicItems.playlist($0, owner: call.account) }
        return .element("playlists", SubsonicObject(list: "playlist", playlists))
    }

    /// A playlist with its songs.
    private func answer(_ id: Int, _ call: SubsonicCall) throws -> SubsonicAnswer {
        let limit = CatalogueLimits.playlistEntries
        let playlist = try listening.look { reader -> Playlist in
            guard let item = try reader.catalogue.playlist(id: id, limit: limit, offset: 0) else {
                throw SubsonicError.noSuch("playlist", ItemID.playlist(id).description)
            }
            let items = SubsonicItems(reader: reader)
            var playlist = SubsonicItems.playlist(item, owner: call.account)
            playlist.entries = try items.songs((item.entries?.items ?? []).map(\.track))
            return playlist
        }
        return .element("playlist", playlist)
    }

    /// Creates a playlist, or replaces the songs of the one named by `playlistId`.
    private func create(_ call: SubsonicCall) throws -> SubsonicAnswer {
        let request = call.request
        let tracks = try request.trackIDs("songId")
        if request.text("playlistId")?.isEmpty == false {
            let id = try id(request, "playlistId")
            var edits: [PlaylistEdit] = [.replace(tracks)]
            if let name = request.text("name") { edits.append(.rename(try PlaylistText.name(name))) }
            try library.editPlaylist(id: id, edits)
            return try answer(id, call)
        }
        let name = try PlaylistText.name(try request.require("name"))
        return try answer(try library.makePlaylist(name: name, trackIDs: tracks), call)
    }

    /// Changes name, description and songs. Positions are those before the change; `public` is ignored, since there is one
    /// account.
    private func update(_ call: SubsonicCall) throws -> SubsonicAnswer {
        let request = call.request
        let id = try id(request, "playlistId")
        var edits: [PlaylistEdit] = []
        if let name = request.text("name") { edits.append(.rename(try PlaylistText.name(name))) }
        if let comment = request.text("comment") {
            edits.append(.describe(try PlaylistText.description(comment)))
        }
        var removed: Set<Int> = []
        for text in request.texts("songIndexToRemove") where !text.isEmpty {
            guard let index = Int(text), index >= 0 else {
                throw SubsonicError(.generic, "\"songIndexToRemove\" must be a whole number from 0.")
            }
            removed.insert(index)
        }
        // From the end, so that the earlier positions stay what they are.
        edits += removed.sorted(by: >).map { .remove(at: $0) }
        let added = try request.trackIDs("songIdToAdd")
        if !added.isEmpty { edits.append(.insert(added, at: nil)) }
        try library.editPlaylist(id: id, edits)
        return .empty
    }
}
