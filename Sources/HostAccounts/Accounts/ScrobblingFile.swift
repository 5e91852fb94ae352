internal import APIDescription
internal import FileSystem
internal import Foundation
package import Scrobbling
internal import Secrets

/// An account's access to a service.
package struct ScrobblingAccess: Sendable {
    /// The services.
    package enum Service: String, Codable, Sendable, CaseIterable {
        case listenBrainz = "listenbrainz"
        case lastFM = "lastfm"
    }

    /// The parts that are stored encrypted.
    package struct Secrets: Codable, Sendable {
        /// ListenBrainz: the user's token.
        package var token: String?
        /// Last.fm: the application.
        package var application: LastFM.Application?
        /// Last.fm: the user's access.
        package var session: LastFM.Session?
        /// Last.fm: the token for which the user has yet to allow the access.
        package var pendingToken: String?
    }

    package var accountID: Int
    package var service: Service
    /// Address of the service's API.
    package var address: String
    /// Last.fm: the page where the user allows the access.
    package var page: String?
    /// Name of the user at the service.
    package var user: String?
    package var secrets: Secrets
}

/// The file `scrobbling.json` of a data folder: the accounts' access to other services, the secrets encrypted with a key of
/// `host.json`. It is not part of the databases, which clients download.
package struct ScrobblingFile: Sendable {
    private struct Stored: Codable {
        var accountID: Int
        var service: ScrobblingAccess.Service
        var address: String
        var page: String?
        var user: String?
        /// The encrypted secrets, base64url.
        var sealed: String

        private enum CodingKeys: String, CodingKey {
            case service, address, page, user, sealed
            case accountID = "account_id"
        }
    }

    private struct Content: Codable {
        var connections: [Stored] = []
    }

    package let dataFolder: String
    package var path: String { "\(dataFolder)/scrobbling.json" }

    /// Reads all accesses. Those that another key has encrypted are left out.
    /// - Throws: `HostError` where a file cannot be read.
    package func read() throws(HostError) -> [ScrobblingAccess] {
        let stored = try content().connections
        guard !stored.isEmpty, let box = try box(creates: false) else { return [] }
        return stored.compactMap { stored in
            guard let secrets = Base64URL.decode(stored.sealed).flatMap(box.open),
                let opened = try? JSONDecoder().decode(ScrobblingAccess.Secrets.self, from: Data(secrets))
            else { return nil }
            return ScrobblingAccess(
                accountID: stored.accountID, service: stored.service, address: stored.address,
                page: stored.page, user: stored.user, secrets: opened)
        }
    }

    /// Adds an access; it replaces that of the same account and service.
    /// - Throws: `HostError` where a file cannot be read or written.
    package func set(_ access: ScrobblingAccess) throws(HostError) {
        guard let box = try box(creates: true), let secrets = try? JSONEncoder().encode(access.secrets) else {
            throw HostError(.secrets, "the data folder has no host.json")
        }
        let stored = Stored(
            accountID: access.accountID, service: access.service, address: access.address,
            page: access.page, user: access.user, sealed: Base64URL.encode(box.seal([UInt8](secrets))))
        try change { connections in
            connections.removeAll { $0.accountID == access.accountID && $0.service == access.service }
            connections.append(stored)
        }
    }

    /// Removes an account's access to a service; without a service, to all.
    /// - Throws: `HostError` where a file cannot be read or written.
    package func remove(accountID: Int, _ service: ScrobblingAccess.Service? = nil) throws(HostError) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        try change { connections in
            connections.removeAll {
                $0.accountID == accountID && (service == nil || $0.service == service)
            }
        }
    }

    private func content() throws(HostError) -> Content {
        guard FileManager.default.fileExists(atPath: path) else { return Content() }
        do {
            return try JSONDecoder().decode(Content.self, from: Data(contentsOf: URL(filePath: path)))
        } catch {
            throw HostError(
                .secrets, "\(path) cannot be read or is damaged; move it away and connect the services again")
        }
    }

    /// Changes the file while no other program does.
    private func change(_ body: (inout [Stored]) -> Void) throws(HostError) {
        try SecretsFile.whileLocked(path) { () throws(HostError) in
            var content = try content()
            body(&content.connections)
            try SecretsFile.replace(path, with: content, encoder: .ofHost)
        }
    }

    private func box(creates: Bool) throws(HostError) -> SecretBox? {
        try AppPasswordFile(dataFolder: dataFolder).box(creates: creates)
    }
}
