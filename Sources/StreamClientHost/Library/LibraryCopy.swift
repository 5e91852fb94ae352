public import StreamClient
internal import Catalogue
internal import Foundation
internal import MusicShared
internal import SQLiteDatabase

/// The client's copy of a host's library, for browsing and searching offline.
///
/// A refresh checks for a new version, downloads it completely next to the old one, verifies it, and then replaces the old
/// one atomically. Until then, or if anything fails, the old copy remains. Readers that have the old copy open keep using it.
public actor LibraryCopy {
    /// The result of a refresh.
    public enum Outcome: Sendable, Equatable {
        /// The copy is up to date.
        case unchanged
        /// A new version was downloaded.
        case replaced
    }

    /// The metadata stored next to the copy.
    private struct State: Codable {
        var entityTag: String?
    }

    /// Maximum size of a library in bytes, so that a faulty host cannot fill the disk.
    static let sizeLimit = 8 << 30

    private let folder: String
    private var refreshing: Task<Result<Outcome, ClientError>, Never>?

    /// Creates the copy in a folder, which is created when needed.
    public init(folder: String) { self.folder = folder }

    /// The path of the copy, whether or not it exists.
    public nonisolated var path: String { folder + "/library.sqlite" }
    private nonisolated var statePath: String { folder + "/library.json" }
    private nonisolated var partialPath: String { folder + "/library.sqlite.part" }

    /// Opens the current copy.
    /// - Throws: ``ClientError/Code/badCopy`` if the copy is missing or damaged.
    public nonisolated func library() throws(ClientError) -> LocalLibrary { try LocalLibrary(path: path) }

    /// Updates the copy. Concurrent callers get the result of the refresh already running.
    /// - Throws: any error of the connection; ``ClientError/Code/badCopy`` if the download is not a library;
    ///   ``ClientError/Code/storage`` if the disk fails. The old copy remains.
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
        // The host creates a snapshot first, which takes some time for a large library.
        request.timeouts = TransportTimeouts(response: 120)
        if let tag = entityTag, (try? library()) != nil { request.fields["if-none-match"] = tag }
        let response = try await connection.fetch(Routes.database, base: request)
        if response.status == 304 { return .unchanged }
        guard response.status == 200 else {
            throw ClientError(.notAHost, "The host did not return its library.", status: response.status)
        }
        do {
            try PrivateFile.makeFolder(folder)
            try await Self.write(response.body, to: partialPath)
        } catch let error as TransportError {
            throw ClientError(error)
        } catch let error as ClientError {
            throw error
        } catch {
            throw ClientError(.storage, "Cannot store the library in \(folder): \(error)")
        }
        try Self.check(partialPath)
        do {
            try PrivateFile.move(partialPath, to: path)
            // Write the entity tag last: if the program ended between the two writes in the other order, the old library
            // would be left with the new tag and never be updated.
            try PrivateFile.replace(
                statePath,
                with: JSONEncoder().encode(State(entityTag: response.fields["etag"])))
        } catch {
            throw ClientError(.storage, "Cannot store the library in \(folder): \(error)")
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

    /// Throws if the file is not an intact library.
    private static func check(_ path: String) throws(ClientError) {
        do {
            let database = try Database(path: path, options: .init(access: .readOnly))
            _ = try CatalogueReader(database: database).revision
            let verdict: String? = try database.scalar("PRAGMA quick_check(1)")
            guard verdict == "ok" else { throw ClientError(.badCopy, "The downloaded library is damaged.") }
        } catch let error as ClientError {
            throw error
        } catch {
            throw ClientError(.badCopy, "The downloaded file is not a library: \(error)")
        }
    }
}
