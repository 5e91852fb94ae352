internal import APIDescription
internal import Analyzer
internal import Companion
internal import Foundation
internal import HostAccounts
internal import HostStreams
internal import HTTPServer
internal import LibraryStore
internal import MusicShared
internal import WebPlayer

/// The pages of shares and the media that they play. These routes need no key: the random address is the credential, and each
/// request checks that it is still valid.
///
/// These are pages and their files rather than API routes, so they are not part of the API description.
struct ShareRoutes: Sendable {

    private static let page = "/share/:secret"
    private static let contents = "/share/:secret/contents"
    private static let audio = "/share/:secret/tracks/:number/audio"
    private static let cover = "/share/:secret/tracks/:number/cover"
    /// All routes.
    static let patterns = [page, contents, audio, cover]

    /// The content of the page.
    private struct Contents: Encodable {
        struct Track: Encodable {
            let title: String?
            let artist: String?
            let album: String?
            let durationSeconds: Double?

            private enum CodingKeys: String, CodingKey {
                case title, artist, album
                case durationSeconds = "duration_seconds"
            }
        }

        let description: String?
        let expiresAt: Double?
        let tracks: [Track]

        private enum CodingKeys: String, CodingKey {
            case description, tracks
            case expiresAt = "expires_at"
        }
    }

    let accounts: Accounts
    let shared: SharedTracks
    let tracks: StreamedTracks
    let covers: CoverRoutes
    /// Nil for a host without pages.
    let site: WebPlayerSite?

    func add(to routes: some RouteCollection) {
        routes.get(Self.page) { try page($0) }
        routes.get(Self.contents) { request in
            let share = try share(request, isVisit: true)
            let tracks = try shared.tracks(of: share).map {
                Contents.Track(
                    title: $0.title ?? $0.relativePath.split(separator: "/").last.map(String.init),
                    artist: $0.artist, album: $0.album, durationSeconds: $0.durationSeconds)
            }
            return try Self.private(
                .json(
                    Contents(description: share.description, expiresAt: share.expiresAt, tracks: tracks)))
        }
        routes.get(Self.audio) { request in
            let track = try await tracks.track(try track(request).id)
            return Self.private(
                HTTPResponse(
                    fields: [
                        .contentType: track.original.format.mediaType,
                        .entityTag: track.file.entityTag.description,
                        .lastModified: track.file.modificationDate.description,
                    ], body: .file(try FileRegion(track.file)), allowsRanges: true))
        }
        routes.get(Self.cover) { request in
            let id = try track(request).id
            guard let source = try shared.library.catalogue({ try $0.coverSource(trackID: id) }) else {
                throw Self.nothing
            }
            return Self.private(try await covers.answer(request, [source]))
        }
    }

    private func share(_ request: HTTPRequest, isVisit: Bool = false) throws -> Share {
        let secret: String = try request.parameters.require("secret")
        guard let share = try share(secret: secret, isVisit: isVisit) else { throw Self.nothing }
        return share
    }

    /// The share with an address; nil if it was revoked or has expired, or its account was deleted.
    private func share(secret: String, isVisit: Bool = false) throws -> Share? {
        guard let share = try accounts.shares.share(secret: secret, isVisit: isVisit),
            try accounts.listening.account(withID: share.accountID) != nil
        else { return nil }
        return share
    }

    /// The track with the number in the path, counted from 1.
    private func track(_ request: HTTPRequest) throws -> TrackItem {
        let number: Int = try request.parameters.require("number")
        let tracks = try shared.tracks(of: try share(request))
        guard tracks.indices.contains(number - 1) else { throw Self.nothing }
        return tracks[number - 1]
    }

    private func page(_ request: HTTPRequest) throws -> HTTPResponse {
        let secret: String = try request.parameters.require("secret")
        guard let file = site?.file("share/index.html") else { throw Self.nothing }
        // The page says what has happened; programs see the status.
        var response = HTTPResponse(
            try share(secret: secret) == nil ? .notFound : .ok,
            fields: [.contentType: file.mediaType], body: .bytes(file.bytes), allowsRanges: false)
        for (name, value) in WebPlayerRoutes.protection {
            if let name = HTTPFieldName(name) { response.fields[name] = value }
        }
        return Self.private(response)
    }

    /// Marks a response for the visitor alone: caches must not outlive the share, and search engines must not list it.
    private static func `private`(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        response.fields[.cacheControl] = "no-store"
        response.fields[.xContentTypeOptions] = "nosniff"
        if let robots = HTTPFieldName("X-Robots-Tag") { response.fields[robots] = "noindex" }
        return response
    }

    private static let nothing = APIError.noSuchShare(
        "This share does not exist; it may have expired or been revoked.")
}
