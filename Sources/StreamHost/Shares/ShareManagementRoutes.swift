internal import APIDescription
internal import Foundation
internal import HostAccounts
internal import HTTPServer
internal import MusicShared

/// Creates, lists, changes and revokes an account's shares.
struct ShareManagementRoutes: DescribedRoutes {
    /// The longest description, in characters.
    static let descriptionLimit = 1000
    /// Lifetime of a share that names none, in seconds: a year.
    static let standardLifetime = 365 * 86_400.0
    /// The range of times, in seconds since 1970: up to the year 9999.
    static let times = 0.0...253_402_300_799

    private struct NewShare: JSONContent {
        static let keys = ["track_ids", "album_ids", "playlist_ids", "description", "expires_at"]
        var trackIDs: [Int]?
        var albumIDs: [Int]?
        var playlistIDs: [Int]?
        var description: String?
        var expiresAt: Double?

        private enum CodingKeys: String, CodingKey {
            case description
            case trackIDs = "track_ids"
            case albumIDs = "album_ids"
            case playlistIDs = "playlist_ids"
            case expiresAt = "expires_at"
        }

        var items: [Share.Item] {
            (trackIDs ?? []).map { .track($0) } + (albumIDs ?? []).map { .album($0) }
                + (playlistIDs ?? []).map { .playlist($0) }
        }
    }

    private struct ShareChange: JSONContent {
        static let keys = ["description", "expires_at"]
        var description: String??
        var expiresAt: Double??

        private enum CodingKeys: String, CodingKey {
            case description
            case expiresAt = "expires_at"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            // null is a value here: it removes what was set.
            if container.contains(.description) {
                description = .some(try container.decodeIfPresent(String.self, forKey: .description))
            }
            if container.contains(.expiresAt) {
                expiresAt = .some(try container.decodeIfPresent(Double.self, forKey: .expiresAt))
            }
        }
    }

    let accounts: Accounts
    let shared: SharedTracks

    func add(to routes: some RouteCollection) {
        routes.get(Routes.shares) { request in
            let (limit, offset) = (try request.value(Query.limit), try request.value(Query.offset))
            let account = try accounts.account(of: request)
            let all = try accounts.shares.list(accountID: account.id)
            let items = try all.dropFirst(offset).prefix(limit).map { try item($0, account) }
            return try .unstored(
                CataloguePage(items: items, total: all.count, limit: limit, offset: offset))
        }
        routes.post(Routes.shares) { request in
            let content = try await request.json(NewShare.self)
            let account = try accounts.account(of: request)
            try check(content.items, account)
            let share = try accounts.shares.add(
                accountID: account.id, items: content.items,
                description: try Self.description(content.description),
                expiresAt: try Self.time(content.expiresAt)
                    ?? Date().timeIntervalSince1970.rounded() + Self.standardLifetime)
            var response = try HTTPResponse.unstored(try item(share, account), status: .created)
            response.fields[.location] = Routes.path(Routes.share, share.id)
            return response
        }
        routes.patch(Routes.share) { request in
            let id: Int = try request.parameters.require("share_id")
            let change = try await request.json(ShareChange.self)
            let account = try accounts.account(of: request)
            guard
                try accounts.shares.update(
                    id: id, accountID: account.id,
                    description: try change.description.map { try Self.description($0) },
                    expiresAt: try change.expiresAt.map { try Self.time($0) }),
                let share = try accounts.shares.share(id: id, accountID: account.id)
            else { throw request.nothingThere }
            return try .unstored(try item(share, account))
        }
        routes.delete(Routes.share) { request in
            let id: Int = try request.parameters.require("share_id")
            guard try accounts.shares.remove(id: id, accountID: try request.caller.accountID) else {
                throw request.nothingThere
            }
            return HTTPResponse(.noContent)
        }
    }

    private func item(_ share: Share, _ account: Account) throws -> ShareItem {
        ShareItem(
            id: share.id, path: share.path, description: share.description, user: account.name,
            createdAt: share.createdAt, expiresAt: share.expiresAt, lastVisitedAt: share.lastVisitedAt,
            visitCount: share.visitCount, trackCount: try shared.tracks(of: share).count)
    }

    private func check(_ items: [Share.Item], _ account: Account) throws {
        guard (1...SharedTracks.limit).contains(items.count) else {
            throw APIError.invalidField(
                "Specify 1 to \(SharedTracks.limit) tracks, albums or playlists.", field: "track_ids")
        }
        guard let missing = try shared.firstMissing(of: items, for: account.id) else { return }
        switch missing {
        case .track(let id): throw APIError.noSuchTrack("There is no track \(id).", field: "track_ids")
        case .album(let id): throw APIError.noSuchAlbum("There is no album \(id).", field: "album_ids")
        case .playlist(let id):
            throw APIError.noSuchPlaylist("There is no playlist \(id).", field: "playlist_ids")
        }
    }

    /// Checks a description; nil for an empty one.
    static func description(_ text: String?) throws(HTTPError) -> String? {
        guard let text, !text.isEmpty else { return nil }
        guard text.unicodeScalars.count <= descriptionLimit, !text.unicodeScalars.contains("\0") else {
            throw APIError.invalidField(
                "The description may have \(descriptionLimit) characters and no NUL.", field: "description")
        }
        return text
    }

    private static func time(_ seconds: Double?) throws(HTTPError) -> Double? {
        guard let seconds else { return nil }
        guard times.contains(seconds) else {
            throw APIError.invalidField("expires_at must be in seconds since 1970.", field: "expires_at")
        }
        return seconds
    }
}
