internal import APIDescription
internal import Catalogue
internal import Companion
internal import Foundation
internal import HostAccounts
internal import HTTPServer
internal import LibraryStore
internal import MusicShared
internal import Threads

/// Routes that read, create, change and delete playlists: an account sees its own and public ones, and changes its own; owners
/// of the host also change public ones of others.
///
/// A playlist's tag has two parts: the state of the playlist itself, and that of the library, which describes
/// its tracks. `If-Match` on a change only compares the first, so that a running analysis does not block
/// edits of playlists.
struct PlaylistRoutes: DescribedRoutes {
    let library: LibraryStore
    let accounts: Accounts

    func add(to routes: some RouteCollection) {
        // Smart playlists may take long.
        let limit = library.smartPlaylists.limit
        routes.get(Routes.playlists) { request in try await limit.run { try list(request) } }
        routes.get(Routes.playlist) { request in try await limit.run { try get(request) } }
        routes.post(Routes.playlists) { try await make($0) }
        routes.patch(Routes.playlist) { request in
            let patch = try await Self.rulesNamed { try await request.json(PlaylistPatch.self) }
            var edits: [PlaylistEdit] = []
            if let name = patch.name { edits.append(.rename(try PlaylistText.name(name))) }
            if let description = patch.description {
                edits.append(.describe(try PlaylistText.description(description)))
            }
            if let isPublic = patch.isPublic { edits.append(.publish(isPublic)) }
            if let rules = patch.rules { edits.append(.setRules(rules)) }
            return try change(request, edits)
        }
        routes.put(Routes.playlistTracks) { request in
            try change(request, [.replace(try await request.json(PlaylistTracks.self).trackIDs)])
        }
        routes.post(Routes.playlistEntries) { request in
            let addition = try await request.json(PlaylistAddition.self)
            // A position is only meaningful for the entries that the client has seen.
            return try change(
                request, [.insert(addition.trackIDs, at: addition.position)],
                needsCondition: addition.position != nil)
        }
        routes.patch(Routes.playlistEntry) { request in
            let position: Int = try request.parameters.require("position")
            let target = try await request.json(PlaylistMove.self).position
            return try change(request, [.move(from: position, to: target)], needsCondition: true)
        }
        routes.delete(Routes.playlistEntry) { request in
            let position: Int = try request.parameters.require("position")
            return try change(request, [.remove(at: position)], needsCondition: true)
        }
        routes.delete(Routes.playlist) { request in
            let id: Int = try request.parameters.require("playlist_id")
            let tags = try Self.condition(of: request)
            let user = try Self.user(request)
            try Self.mapped { try library.removePlaylist(id: id, by: user, ifTag: tags) }
            return HTTPResponse(.noContent)
        }
    }

    private func list(_ request: HTTPRequest) throws -> HTTPResponse {
        let order = try request.value(Self.sort)
        var query = CatalogueQuery(sort: order?.key ?? .name, limit: try request.value(Query.limit))
        query.isDescending = order?.isDescending ?? false
        query.offset = try request.value(Query.offset)
        query.text = try request.value(Query.search)
        let accountID = try request.caller.accountID
        return try library.answer(
            request, { try named($0.playlists(query, visibleTo: accountID)) }
        ) { try EntityTag("c1-\(accountID)-\($0.revision)" + ($0.smartState().map { "-\($0)" } ?? "")) }
    }

    private func get(_ request: HTTPRequest) throws -> HTTPResponse {
        let (limit, offset) = (try request.value(Self.limit), try request.value(Query.offset))
        let id: Int = try request.parameters.require("playlist_id")
        let accountID = try request.caller.accountID
        return try library.answer(
            request,
            {
                try $0.playlist(id: id, limit: limit, offset: offset, visibleTo: accountID).map {
                    try named($0)
                }
            }
        ) { try Self.tag($0, id, visibleTo: accountID) }
    }

    private func make(_ request: HTTPRequest) async throws -> HTTPResponse {
        let new = try await Self.rulesNamed { try await request.json(NewPlaylist.self) }
        guard new.rules == nil || new.trackIDs?.isEmpty ?? true else {
            throw APIError.invalidField(
                "A smart playlist has rules instead of tracks.", field: "track_ids")
        }
        let name = try PlaylistText.name(new.name)
        let description = try PlaylistText.description(new.description)
        let accountID = try request.caller.accountID
        let id = try Self.mapped {
            try library.makePlaylist(
                name: name, description: description, trackIDs: new.trackIDs ?? [], ownerID: accountID,
                isPublic: new.isPublic ?? false, rules: new.rules)
        }
        return try created(id, visibleTo: accountID)
    }

    /// Returns the answer for a new playlist.
    func created(_ id: Int, visibleTo accountID: Int) throws -> HTTPResponse {
        var response = try answer(id, visibleTo: accountID)
        response.status = .created
        response.fields[.location] = Routes.path(Routes.playlist, id)
        return response
    }

    private func change(
        _ request: HTTPRequest, _ edits: [PlaylistEdit], needsCondition: Bool = false
    ) throws -> HTTPResponse {
        let id: Int = try request.parameters.require("playlist_id")
        let tags = try Self.condition(of: request, isNeeded: needsCondition)
        let user = try Self.user(request)
        try Self.mapped { try library.editPlaylist(id: id, by: user, ifTag: tags, edits) }
        return try answer(id, visibleTo: user.accountID)
    }

    /// The caller, as the store of playlists knows it.
    private static func user(_ request: HTTPRequest) throws(HTTPError) -> PlaylistUser {
        let caller = try request.caller
        return PlaylistUser(accountID: caller.accountID, isHostOwner: caller.role == .owner)
    }

    /// Adds the name of the account that owns a playlist.
    private func named(_ playlist: PlaylistItem) throws -> PlaylistItem {
        var playlist = playlist
        playlist.owner = try accounts.all.first { $0.id == playlist.ownerID }?.name
        return playlist
    }

    private func named(_ page: CataloguePage<PlaylistItem>) throws -> CataloguePage<PlaylistItem> {
        var page = page
        page.items = try page.items.map { try named($0) }
        return page
    }

    /// Returns the playlist after a change.
    private func answer(_ id: Int, visibleTo accountID: Int) throws -> HTTPResponse {
        let (playlist, tag) = try library.catalogue { reader in
            (
                try reader.playlist(
                    id: id, limit: CatalogueLimits.largestPage, offset: 0, visibleTo: accountID
                ).map { try named($0) }, try Self.tag(reader, id, visibleTo: accountID)
            )
        }
        guard let playlist else {
            throw APIError.noSuchPlaylist("There is no playlist \(id).", field: "playlist_id")
        }
        return try .json(playlist, etag: tag)
    }

    private static func tag(
        _ reader: CatalogueReader, _ id: Int, visibleTo accountID: Int
    ) throws -> EntityTag? {
        guard try reader.isPlaylist(id, visibleTo: accountID) else { return nil }
        let smart = try reader.smartState(playlistID: id).map { "-\($0)" } ?? ""
        return try reader.playlistTag(id: id).map { try EntityTag("\($0)/\(reader.revision)\(smart)") }
    }

    /// Parses `If-Match`: the states of the playlist that the change applies to, nil for any. Weak tags are
    /// accepted, because compressed responses have them.
    private static func condition(of request: HTTPRequest, isNeeded: Bool = false) throws -> [String]? {
        guard let text = request.fields[.ifMatch] else {
            guard !isNeeded else {
                throw APIError.preconditionRequired(
                    "If-Match with the playlist's ETag is required when positions are given.",
                    field: "If-Match")
            }
            return nil
        }
        if text.trimmingCharacters(in: .whitespaces) == "*" { return nil }
        return text.split(separator: ",").compactMap { EntityTag(parsing: $0) }.compactMap {
            $0.value.split(separator: "/").first.map(String.init)
        }
    }

    /// Names the wrong part of rules in a body.
    /// - Parameter prefix: the place of the rules in the body.
    static func rulesNamed<Value>(
        _ prefix: String = "rules.", _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let error as SmartRulesError {
            throw invalid(error, in: prefix)
        }
    }

    private static func invalid(_ error: SmartRulesError, in prefix: String) -> HTTPError {
        APIError.invalidRules("\(error.place): \(error.message).", field: prefix + error.place)
    }

    /// Runs a change and converts the store's errors to HTTP errors.
    static func mapped<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as SmartRulesError {
            throw invalid(error, in: "rules.")
        } catch let error as StoreError {
            let (kind, field): (APIError, String?) =
                switch error.code {
                case .notFound: (.noSuchPlaylist, "playlist_id")
                case .nameTaken: (.nameTaken, "name")
                case .notOwner: (.notOwner, "playlist_id")
                case .changedMeanwhile: (.changedMeanwhile, "If-Match")
                case .noSuchTrack: (.noSuchTracks, "track_ids")
                case .tooManyEntries: (.tooManyEntries, "track_ids")
                case .badPosition: (.badPosition, "position")
                case .smartPlaylist: (.smartPlaylist, "playlist_id")
                case .noRules: (.noRules, "playlist_id")
                case .busy: (.busy, nil)
                default: throw error
                }
            throw kind(
                error.message, field: field, fields: error.code == .busy ? [.retryAfter: "2"] : [:])
        }
    }
}
