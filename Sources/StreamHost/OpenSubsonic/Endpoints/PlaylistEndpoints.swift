internal import Catalogue
internal import Companion
internal import HostAccounts
internal import HTTPServer
internal import LibraryStore
internal import MusicShared
internal import OpenSubsonic
internal import Threads

/// Playlists: an account's own, and public ones of others.
struct PlaylistEndpoints: SubsonicEndpoints {
    let library: LibraryStore
    let listening: AccountListening
    let accounts: Accounts

    var handlers: [String: Handler] {
        // Smart playlists may take long.
        let limit = library.smartPlaylists.limit
        return [
            "getPlaylists": { call in try await limit.run { try list(call) } },
            "getPlaylist": { call in
                try await limit.run { try answer(id(call.request, "id"), call) }
            },
            "createPlaylist": { try create($0) },
            "updatePlaylist": { try update($0) },
            "deletePlaylist": { call in
                try library.removePlaylist(id: try id(call.request, "id"), by: PlaylistUser(call.account))
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
        let query = CatalogueQuery(sort: PlaylistSort.name, limit: Int(Int32.max))
        var items = try library.catalogue { try $0.playlists(query, visibleTo: call.account.id).items }
        if let name = call.request.text("username"), !name.isEmpty, name != call.account.name {
            guard call.account.role == .owner else {
                throw SubsonicError(.notAuthorized, "Only owners read the playlists of another account.")
            }
            let other = try accounts.listening.account(named: name)?.id
            items.removeAll { $0.ownerID != other }
        }
        let playlists = try items.map { SubsonicItems.playlist($0, owner: try owner(of: $0)) }
        return .element("playlists", SubsonicObject(list: "playlist", playlists))
    }

    private func owner(of playlist: PlaylistItem) throws -> String {
        try accounts.all.first { $0.id == playlist.ownerID }?.name ?? ""
    }

    /// A playlist with its songs.
    private func answer(_ id: Int, _ call: SubsonicCall) throws -> SubsonicAnswer {
        let limit = CatalogueLimits.playlistEntries
        let playlist = try listening.look { reader -> Playlist in
            guard
                let item = try reader.catalogue.playlist(
                    id: id, limit: limit, offset: 0, visibleTo: call.account.id)
            else {
                throw SubsonicError.noSuch("playlist", ItemID.playlist(id).description)
            }
            let items = SubsonicItems(reader: reader)
            var playlist = SubsonicItems.playlist(item, owner: try owner(of: item))
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
            try library.editPlaylist(id: id, by: PlaylistUser(call.account), edits)
            return try answer(id, call)
        }
        let name = try PlaylistText.name(try request.require("name"))
        let id = try library.makePlaylist(name: name, trackIDs: tracks, ownerID: call.account.id)
        return try answer(id, call)
    }

    /// Changes name, description, visibility and songs. Positions are those before the change.
    private func update(_ call: SubsonicCall) throws -> SubsonicAnswer {
        let request = call.request
        let id = try id(request, "playlistId")
        var edits: [PlaylistEdit] = []
        if let name = request.text("name") { edits.append(.rename(try PlaylistText.name(name))) }
        if let comment = request.text("comment") {
            edits.append(.describe(try PlaylistText.description(comment)))
        }
        if let isPublic = request.flag("public") { edits.append(.publish(isPublic)) }
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
        try library.editPlaylist(id: id, by: PlaylistUser(call.account), edits)
        return .empty
    }
}
