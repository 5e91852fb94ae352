internal import APIDescription
internal import Catalogue
internal import Foundation
package import HTTPServer
package import LibraryStore
internal import MusicShared

/// Routes that identify the host and issue tokens for players that cannot send headers.
package struct AccessRoutes: DescribedRoutes {
    package let hostName: String
    /// Name and version of the program.
    package let version: String
    package let libraryID: String
    package let secrets: CurrentSecrets
    package let library: LibraryStore
    package let accounts: Accounts

    /// Memberwise initializer.
    package init(
        hostName: String, version: String, libraryID: String, secrets: CurrentSecrets, library: LibraryStore,
        accounts: Accounts
    ) {
        self.hostName = hostName
        self.version = version
        self.libraryID = libraryID
        self.secrets = secrets
        self.library = library
        self.accounts = accounts
    }

    package func add(to routes: some RouteCollection) {
        routes.get(Routes.auth, execution: .inline) { request in
            try .json(
                AuthResponse(
                    hostName: hostName, version: version,
                    protocolVersion: StreamingConstants.protocolVersion, libraryID: libraryID,
                    account: try accounts.all.first { $0.id == (try request.caller.accountID) }))
        }
        routes.post(Routes.token) { request in
            let caller = try request.caller
            let subject = try subject(request, caller)
            let lifetime = try request.value(Self.lifetime)
            let token = StreamToken(
                subject: subject, expires: Int(Date().timeIntervalSince1970 + lifetime),
                credential: caller.appPassword?.tokenID)
            return try .json(
                TokenResponse(token: token.signed(by: secrets.value.tokenSecret), expiresAt: token.expires))
        }
    }

    /// Returns the track, album, playlist or station that a token is requested for.
    private func subject(_ request: HTTPRequest, _ caller: Caller) throws -> StreamToken.Subject {
        if let id = try request.value(Self.albumID) {
            return .album(
                try found(
                    id, "album_id", .noSuchAlbum, try library.catalogue { try $0.albumItem(id: id) } != nil))
        }
        if let id = try request.value(Self.playlistID) {
            return .playlist(
                try found(
                    id, "playlist_id", .noSuchPlaylist,
                    try library.catalogue { try $0.isPlaylist(id, visibleTo: caller.accountID) }))
        }
        if let id = try request.value(Self.stationID) {
            return .station(
                try found(
                    id, "station_id", .noSuchStation, try accounts.listening.radioStation(id: id) != nil))
        }
        guard let id = try request.value(Self.trackID) else {
            throw APIError.missingSubject(
                "Specify what the token is for: track_id, album_id, playlist_id or station_id.")
        }
        return .track(try found(id, "track_id", .noSuchTrack, try library.track(id: id) != nil))
    }

    private func found(_ id: Int, _ field: String, _ error: APIError, _ exists: Bool) throws(HTTPError) -> Int
    {
        guard exists else { throw error("The ID \(id) does not exist.", field: field) }
        return id
    }
}
