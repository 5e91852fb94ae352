internal import Catalogue
internal import Foundation
internal import MusicShared
internal import SQLiteDatabase

/// The copy of a host's library that the client keeps, so that it can be browsed and searched without the host.
///
/// A refresh asks whether there is another one, takes it as a whole beside the old one, looks whether it is sound, and then puts
/// it in the old one's place at once. Until then, and where anything fails, the old one stays. Who has the old one open keeps it.
public actor LibraryCopy {
    /// What a refresh came to.
    public enum Outcome: Sendable, Equatable {
        /// The copy is as new as the host's library.
        case unchanged
        /// There is another one now.
        case replaced
    }

    /// What is kept beside the file.
    private struct State: Codable {
        var entityTag: String?
    }

    /// The largest library that is taken, in bytes: a wrong host must not fill the disk.
    static let sizeLimit = 8 << 30

    private let folder: String
    private var refreshing: Task<Result<Outcome, ClientError>, Never>?

    /// Keeps the copy in a folder, which is made when it is needed.
    public init(folder: String) { self.folder = folder }

    /// Where the copy is, if there is one.
    public nonisolated var path: String { folder + "/library.sqlite" }
    private nonisolated var statePath: String { folder + "/library.json" }
    private nonisolated var partialPath: String { folder + "/library.sqlite.part" }

    /// The copy as it is now.
    /// - Throws: ``ClientError/Code/badCopy`` where there is none.
    public nonisolated func library() throws(ClientError) -> LocalLibrary { try LocalLibrary(path: path) }

    /// Brings the copy up to date. Who asks meanwhile gets the outcome of what is under way.
    /// - Throws: what the connection throws; ``ClientError/Code/badCopy`` where what came is no library;
    ///   ``ClientError/Code/storage`` where the disk fails. The old copy stays.
    @discardableResult
    public func refresh(from connection: HostConnection) async throws(ClientError) -> Outcome {
        let task: Task<Result<Outcome, ClientError>, Never>
        if let refreshing {
            task = refreshing
        } else {
            task = Task { () async -> Result<Outcome, ClientError> in
                do throws(ClientError) {
                    return .success(try await self.download(from: connection))
                } catch { return .failure(error) }
            }
            refreshing = task
        }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        if refreshing == task { refreshing = nil }
        return try result.get()
    }

    private func download(from connection: HostConnection) async throws(ClientError) -> Outcome {
        var request = TransportRequest("")
        request.acceptsCompression = true
        // The host makes a snapshot first, which takes its time where the library is large.
        request.timeouts = TransportTimeouts(response: 120)
        if let tag = entityTag, (try? library()) != nil { request.fields["if-none-match"] = tag }
        let response = try await connection.fetch(Routes.database, base: request)
        if response.status == 304 { return .unchanged }
        guard response.status == 200 else {
            throw ClientError(.notAHost, "The host does not give its library.", status: response.status)
        }
        do {
            try OwnFile.makeFolder(folder)
            try await Self.write(response.body, to: partialPath)
        } catch let error as TransportError {
            throw ClientError(error)
        } catch let error as ClientError {
            throw error
        } catch {
            throw ClientError(.storage, "The library cannot be kept in \(folder): \(error)")
        }
        try Self.check(partialPath)
        do {
            try OwnFile.move(partialPath, to: path)
            // After the library: were it the other way round, an end between the two would leave the old library with
            // the new one's tag, and it would stay for good.
            try OwnFile.replace(
                statePath,
                with: JSONEncoder().encode(State(entityTag: response.fields["etag"])))
        } catch {
            throw ClientError(.storage, "The library cannot be kept in \(folder): \(error)")
        }
        return .replaced
    }

    private var entityTag: String? {
        guard let data = try? Data(contentsOf: URL(filePath: statePath)) else { return nil }
        return try? JSONDecoder().decode(State.self, from: data).entityTag
    }

    private static func write(_ body: TransportBody, to path: String) async throws {
        try? FileManager.default.removeItem(atPath: path)
        guard
            FileManager.default.createFile(
                atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        defer { try? file.close() }
        var count = 0
        for try await piece in body {
            count += piece.count
            guard count <= sizeLimit else {
                throw ClientError(.badCopy, "The library is larger than \(sizeLimit >> 30) GiB.")
            }
            try file.write(contentsOf: piece)
        }
        try file.synchronize()
    }

    /// Whether a file is a sound library.
    private static func check(_ path: String) throws(ClientError) {
        do {
            let database = try Database(path: path, options: .init(access: .readOnly))
            _ = try CatalogueReader(database: database).revision
            let verdict: String? = try database.scalar("PRAGMA quick_check(1)")
            guard verdict == "ok" else { throw ClientError(.badCopy, "What the host gave is damaged.") }
        } catch let error as ClientError {
            throw error
        } catch {
            throw ClientError(.badCopy, "What the host gave is no library: \(error)")
        }
    }
}
