internal import APIDescription
internal import Catalogue
internal import HostAccounts
internal import HTTPServer
internal import LibraryStore
internal import MusicShared

/// Serves what hosts that follow this one copy, in addition to the library at `/db`.
///
/// Only the API key itself opens these routes, and no app password: they contain every account's data.
struct ReplicaRoutes: DescribedRoutes {
    let library: LibraryStore
    let listening: ListeningStore
    let data: DataFolder
    let secrets: CurrentSecrets
    let files: SnapshotFiles

    func add(to routes: some RouteCollection) {
        routes.get(Routes.replicaState) { request in
            try check(request)
            return try .json(state)
        }
        routes.get(Routes.replicaChanges) { try changes($0) }
        routes.get(Routes.replicaListening) { request in
            try check(request)
            let file = try files.file { path in
                try listening.writeCopy(to: path)
                return true
            }
            return try answer(file)
        }
        routes.get(Routes.replicaCredentials) { request in
            try check(request)
            let (copy, key) = (try credentials, secrets.value.apiKey)
            return HTTPResponse(
                fields: [
                    .contentType: "application/octet-stream", .cacheControl: "no-store",
                    .entityTag: "\"\(copy.tag(with: key))\"",
                ], body: .bytes(try copy.sealed(with: key)))
        }
    }

    private var state: ReplicaState {
        get throws {
            let rows = try library.rowState
            return ReplicaState(
                rows: rows.rows.description, catalogue: rows.catalogue.description,
                listening: try listening.state,
                credentials: try credentials.tag(with: secrets.value.apiKey))
        }
    }

    private var credentials: CredentialCopy {
        get throws { try CredentialCopy(dataFolder: data.path, accounts: listening.accounts) }
    }

    private func changes(_ request: HTTPRequest) throws -> HTTPResponse {
        try check(request)
        guard let rows = try request.value(Self.rows), let catalogue = try request.value(Self.catalogue)
        else {
            throw APIError.unknownState(
                "State the last copied revisions in rows and catalogue.", field: "rows")
        }
        let since = RowState(rows: rows, catalogue: catalogue)
        let hasAllPlaylists = try request.value(Self.hasAllPlaylists)
        let file = try files.file {
            try library.writeRowChanges(since: since, hasAllPlaylists: hasAllPlaylists, to: $0)
        }
        guard let file else { throw APIError.unknownState() }
        return try answer(file)
    }

    private func answer(_ file: HTTPFile?) throws -> HTTPResponse {
        guard let file else { throw APIError.unknownState() }
        return HTTPResponse(
            fields: [.contentType: "application/vnd.sqlite3", .cacheControl: "no-store"],
            body: .file(try FileRegion(file)))
    }

    private func check(_ request: HTTPRequest) throws {
        let caller = try request.caller
        guard caller.accountID == Account.mainID, caller.appPassword == nil else {
            throw APIError.roleRequired("Only the API key itself may copy the data of all accounts.")
        }
    }
}
