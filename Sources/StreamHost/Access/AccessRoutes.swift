internal import Companion
internal import Foundation
internal import HTTPServer
internal import MusicShared

/// Who answers, and tokens for players that cannot send headers.
struct AccessRoutes: DescribedRoutes {
    let hostName: String
    let secrets: HostSecrets
    let library: LibraryStore

    func add(to routes: some RouteCollection) {
        routes.get(Routes.auth, execution: .inline) { _ in
            try .json(
                AuthResponse(hostName: hostName, protocolVersion: StreamingConstants.protocolVersion))
        }
        routes.post(Routes.token) { request in
            let id: Int = try request.query.require("track_id")
            let lifetime = try request.query.get("seconds", as: Double.self) ?? StreamToken.standardLifetime
            guard lifetime > 0, lifetime <= StreamToken.longestLifetime else {
                throw HTTPError(
                    .badRequest, code: "invalid_parameter",
                    message: "A token holds for at most \(Int(StreamToken.longestLifetime)) seconds.",
                    field: "seconds")
            }
            guard try library.track(id: id) != nil else {
                throw HTTPError(
                    .notFound, code: "no_such_track", message: "There is no track \(id).", field: "track_id")
            }
            let token = StreamToken(
                trackID: id, expires: Int(Date().timeIntervalSince1970 + lifetime))
            return try .json(
                TokenResponse(token: token.signed(by: secrets.tokenSecret), expires: token.expires))
        }
    }
}
