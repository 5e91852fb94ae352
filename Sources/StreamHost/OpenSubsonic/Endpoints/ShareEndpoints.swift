internal import Companion
internal import Foundation
internal import HostAccounts
internal import HTTPServer
internal import LibraryStore
internal import MusicShared
internal import OpenSubsonic

/// Shares of an account.
struct ShareEndpoints: SubsonicEndpoints {
    let accounts: Accounts
    let shared: SharedTracks
    let listening: AccountListening

    var handlers: [String: Handler] {
        [
            "getShares": { call in
                try answer(try accounts.shares.list(accountID: call.account.id), call)
            },
            "createShare": { try create($0) },
            "updateShare": { try update($0) },
            "deleteShare": { call in
                let id = try Self.id(call.request)
                guard try accounts.shares.remove(id: id, accountID: call.account.id) else {
                    throw SubsonicError.noSuch("share", try call.request.require("id"))
                }
                return .empty
            },
        ]
    }

    private static func id(_ request: SubsonicRequest) throws(SubsonicError) -> Int {
        let text = try request.require("id")
        // Only digits: Int also reads a sign.
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let id = Int(text) else {
            throw .noSuch("share", text)
        }
        return id
    }

    private func create(_ call: SubsonicCall) throws -> SubsonicAnswer {
        let request = call.request
        let ids = try request.ids()
        guard !ids.isEmpty else { throw SubsonicError.missing("id") }
        guard ids.count <= SharedTracks.limit else {
            throw SubsonicError(.generic, "A share may have \(SharedTracks.limit) items.")
        }
        let items = try ids.map { id throws(SubsonicError) -> Share.Item in
            switch id {
            case .track(let number): .track(number)
            case .album(let number): .album(number)
            case .playlist(let number): .playlist(number)
            case .artist, .station, .folder:
                throw .noSuch("song, album or playlist", id.description)
            }
        }
        if let missing = try shared.firstMissing(of: items, for: call.account.id),
            let index = items.firstIndex(of: missing)
        {
            throw SubsonicError.noSuch("item", ids[index].description)
        }
        let description = try ShareManagementRoutes.description(request.text("description"))
        let expiry = try Self.expiry(request)
        let share = try accounts.shares.add(
            accountID: call.account.id, items: items, description: description,
            expiresAt: expiry ?? SubsonicClock.now.rounded() + ShareManagementRoutes.standardLifetime)
        return try answer([share], call)
    }

    /// Changes what the request names. An empty description removes it, and the time 0 lets the share never expire.
    private func update(_ call: SubsonicCall) throws -> SubsonicAnswer {
        let request = call.request
        let description = try request.text("description").map { try ShareManagementRoutes.description($0) }
        let expiresAt: Double?? =
            request.text("expires").map { $0.isEmpty } == false
            ? .some(try Self.expiry(request)) : nil
        guard
            try accounts.shares.update(
                id: try Self.id(request), accountID: call.account.id, description: description,
                expiresAt: expiresAt)
        else { throw SubsonicError.noSuch("share", try request.require("id")) }
        return .empty
    }

    /// The time of a request in seconds since 1970; nil where it names none, or 0.
    private static func expiry(_ request: SubsonicRequest) throws(SubsonicError) -> Double? {
        guard let milliseconds = try request.integer("expires"), milliseconds != 0 else { return nil }
        let seconds = Double(milliseconds) / 1000
        guard ShareManagementRoutes.times.contains(seconds) else {
            throw SubsonicError(.generic, "\"expires\" must be in milliseconds since 1970.")
        }
        return seconds
    }

    private func answer(_ list: [Share], _ call: SubsonicCall) throws -> SubsonicAnswer {
        let base = Self.base(call.request.http)
        let tracks = try list.map { try shared.tracks(of: $0) }
        let found = try listening.look { reader in
            let items = SubsonicItems(reader: reader)
            return try zip(list, tracks).map { share, tracks in
                var media = SharedMedia(
                    id: String(share.id), url: base + share.path, username: call.account.name,
                    created: share.createdAt)
                media.description = share.description
                media.expires = share.expiresAt
                media.lastVisited = share.lastVisitedAt
                media.visitCount = share.visitCount
                media.entries = try items.songs(tracks)
                return media
            }
        }
        return .element("shares", SubsonicObject(list: "share", found))
    }

    /// The address of the host as the client has reached it, also through a proxy that encrypts.
    private static func base(_ request: HTTPRequest) -> String {
        let forwarded = HTTPFieldName("X-Forwarded-Proto").flatMap { request.fields[$0] }
        let scheme = request.isSecure || forwarded?.lowercased() == "https" ? "https" : "http"
        return "\(scheme)://\(request.fields[.host] ?? "localhost")"
    }
}
