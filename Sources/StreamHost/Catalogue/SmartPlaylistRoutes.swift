internal import APIDescription
internal import Catalogue
internal import Foundation
internal import HostAccounts
internal import HTTPServer
internal import LibraryStore
internal import MusicShared
internal import Threads

/// Routes for the rules of smart playlists: their tracks and number, the fields, and files in Navidrome's `.nsp` format. Smart playlists
/// themselves are read and changed like other playlists.
struct SmartPlaylistRoutes: DescribedRoutes {
    let library: LibraryStore
    let playlists: PlaylistRoutes

    func add(to routes: some RouteCollection) {
        routes.get(Routes.smartPlaylistFields) { _ in
            try .json(SmartFieldList(items: SmartField.all.map(\.item)), taggedAs: "smart-fields")
        }
        routes.post(Routes.smartPlaylistCount) { request in
            let rules = try await PlaylistRoutes.rulesNamed {
                try await request.json(CountedRules.self).rules
            }
            let accountID = try request.caller.accountID
            return try await library.smartPlaylists.limit.run {
                try .json(
                    PlaylistRoutes.mapped { try library.smartPlaylists.count(rules, accountID: accountID) })
            }
        }
        routes.post(Routes.smartPlaylistTracks) { try await tracks($0) }
        routes.post(Routes.smartPlaylists) { try await store($0) }
        routes.get(Routes.smartPlaylistFile) { try file($0) }
    }

    /// Returns a page of the tracks that rules select.
    private func tracks(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try await PlaylistRoutes.rulesNamed { try await request.json(ListedRules.self) }
        let limit = try Self.number(wanted.limit, Self.limits, "limit") ?? CatalogueLimits.defaultPage
        let offset = try Self.number(wanted.offset, Self.offsets, "offset") ?? 0
        let seed = try Self.number(wanted.seed, Self.seeds, "seed")
        let accountID = try request.caller.accountID
        let found = try await library.smartPlaylists.limit.run {
            try PlaylistRoutes.mapped {
                try library.smartPlaylists.tracks(wanted.rules, accountID: accountID, seed: seed)
            }
        }
        let ids = Array(found.ids.dropFirst(offset).prefix(limit))
        let page = CataloguePage(
            items: try library.catalogue { try $0.tracks(ids: ids) }, total: found.ids.count, limit: limit,
            offset: offset)
        return try .json(page)
    }

    /// Returns a number of a body.
    /// - Throws: 422 if it is out of its range.
    private static func number(
        _ number: Int?, _ range: ClosedRange<Int>, _ field: String
    ) throws(HTTPError) -> Int? {
        guard let number else { return nil }
        guard range.contains(number) else {
            throw APIError.invalidField(
                "\(field) must be an integer from \(range.lowerBound) to \(range.upperBound).", field: field)
        }
        return number
    }

    /// Creates a playlist from a file.
    private func store(_ request: HTTPRequest) async throws -> HTTPResponse {
        let file = try await PlaylistRoutes.rulesNamed("") {
            try await request.json(SmartPlaylistFile.self)
        }
        guard let name = try request.value(Self.name) ?? file.name else {
            throw APIError.missingField(
                "The file has no name; give one with the parameter name.", field: "name")
        }
        let text = try PlaylistText.name(name)
        let description = try PlaylistText.description(file.comment)
        let accountID = try request.caller.accountID
        let id = try PlaylistRoutes.mapped {
            try library.makePlaylist(
                name: text, description: description, ownerID: accountID, isPublic: file.isPublic ?? false,
                rules: file.rules)
        }
        return try playlists.created(id, visibleTo: accountID)
    }

    private func file(_ request: HTTPRequest) throws -> HTTPResponse {
        let id: Int = try request.parameters.require("playlist_id")
        let accountID = try request.caller.accountID
        let found = try library.catalogue {
            try $0.playlist(id: id, limit: 0, offset: 0, visibleTo: accountID)
        }
        guard let playlist = found else { throw request.nothingThere }
        guard let rules = playlist.rules else {
            throw APIError.noRules("The playlist \(id) has tracks instead of rules.", field: "playlist_id")
        }
        let file = SmartPlaylistFile(
            name: playlist.name, comment: playlist.description, isPublic: playlist.isPublic, rules: rules)
        return try .json(file, taggedAs: "nsp-\(id)")
    }
}

/// The fields that rules can compare.
struct SmartFieldList: Encodable {
    let items: [SmartFieldItem]
}

/// The body of a request to count.
private struct CountedRules: JSONContent {
    static let keys = ["rules"]

    let rules: SmartRules
}

/// The body of a request for tracks.
private struct ListedRules: JSONContent {
    static let keys = ["rules", "limit", "offset", "seed"]

    let rules: SmartRules
    let limit: Int?
    let offset: Int?
    let seed: Int?
}

extension SmartPlaylistFile: JSONContent {}
