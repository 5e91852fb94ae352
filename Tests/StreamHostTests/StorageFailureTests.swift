import Foundation
import HTTPServer
import MusicShared
import SQLiteDatabase
import Synchronization
import Testing
import TestSupport
@testable import APIDescription
@testable import HostAccounts
@testable import LibraryStore
@testable import MusicFiles

@testable import Companion
@testable import StreamHost

/// Full disks and damaged databases, as seen by clients and in the log.
@Suite("Failures of disks and databases", .timeLimit(.minutes(30)))
struct StorageFailureTests {
    private let directory: TemporaryDirectory
    private let data: DataFolder

    init() throws {
        directory = try TemporaryDirectory()
        data = try DataFolder(path: directory.file("data"))
    }

    /// Returns a responder for some routes, with a log.
    private func responder(_ routes: some DescribedRoutes, _ log: @escaping @Sendable (String) -> Void)
        -> RoutedResponder
    {
        let router = Router()
        router.add(StorageFailureMiddleware(report: log))
        router.add(OwnerMiddleware())
        routes.add(to: router)
        return router.build()
    }

    /// Makes every request one of the API key's account.
    private struct OwnerMiddleware: HTTPMiddleware {
        func prepare(_ request: inout HTTPRequest) throws -> HTTPResponse? {
            request.principal = Caller(accountID: Account.mainID, role: .owner)
            return nil
        }
    }

    private func accounts(_ library: LibraryStore) throws -> Accounts {
        try Accounts(data, listening: try ListeningStore(data), library: library)
    }

    private func post(_ path: String, _ json: String, to responder: RoutedResponder) async -> HTTPResponse {
        await responder.respond(
            to: HTTPRequest(
                .post, path, fields: [.contentType: "application/json"], body: .bytes(Array(json.utf8))))
    }

    /// Sends requests until the database is full.
    /// - Returns: The last status.
    private func fill(
        _ path: String, _ responder: RoutedResponder, _ json: (Int) -> String
    ) async -> HTTPStatus {
        for number in 0..<10_000 {
            let status = await post(path, json(number), to: responder).status
            if status.rawValue >= 300 { return status }
        }
        return .ok
    }

    @Test("A playlist that does not fit on the disk is rejected with 507, and accepted once there is space")
    func fullLibrary() async throws {
        let library = try LibraryStore(data)
        let log = Mutex<[String]>([])
        let responder = responder(PlaylistRoutes(library: library, accounts: try accounts(library))) { text in
            log.withLock { $0.append(text) }
        }
        // SQLite's page limit fails like a full disk (SQLITE_FULL).
        try library.write { database in
            let pages: Int? = try database.scalar("PRAGMA page_count")
            let _: Int? = try database.scalar("PRAGMA max_page_count = \((pages ?? 0) + 8)")
        }
        let description = String(repeating: "x", count: 900)
        func json(_ name: String) -> String { "{\"name\": \"\(name)\", \"description\": \"\(description)\"}" }
        #expect(await fill("/api/playlists", responder) { json("p\($0)") } == .insufficientStorage)
        #expect(log.withLock { $0.count } == 1)
        #expect(log.withLock { $0.first?.contains("free some space") } == true)
        try library.write { database in
            let _: Int? = try database.scalar("PRAGMA max_page_count = 1000000")
        }
        #expect(await post("/api/playlists", json("last"), to: responder).status == .created)
    }

    @Test("A job that does not fit on the disk is rejected with 507")
    func fullQueue() async throws {
        let library = try LibraryStore(data)
        let queue = try AnalysisQueue(data)
        let music = try MusicFolder(path: try directory.makeFolder("music", of: []))
        let planner = JobPlanner(
            music: music, library: library, frames: try SpectrumStore(data), queue: queue)
        let responder = responder(JobRoutes(planner: planner, store: queue.store)) { _ in }
        try queue.store.write { database in
            let pages: Int? = try database.scalar("PRAGMA page_count")
            let _: Int? = try database.scalar("PRAGMA max_page_count = \((pages ?? 0) + 8)")
        }
        let name = String(repeating: "n", count: 200)
        let status = await fill("/visualizer/precompute", responder) { number in
            let paths = (0..<20).map { "\"\(name)\(number)-\($0).mp3\"" }.joined(separator: ",")
            return "{\"paths\": [\(paths)]}"
        }
        #expect(status == .insufficientStorage)
    }

    @Test("A damaged page is 500 with a specific code, and the log names the file and what to do")
    func damaged() async throws {
        let path: String
        let page: Int
        let pageSize: Int
        do {
            let library = try LibraryStore(data)
            _ = try library.makePlaylist(name: "one", trackIDs: [])
            try library.checkpoint()
            path = library.path
            page = try library.read { database in
                try database.scalar("SELECT rootpage FROM sqlite_schema WHERE name = 'playlists'") ?? 0
            }
            pageSize = try library.read { database in try database.scalar("PRAGMA page_size") ?? 0 }
        }
        try #require(page > 1)
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: UInt64((page - 1) * pageSize))
        try file.write(contentsOf: Data(repeating: 0xA5, count: pageSize))
        try file.close()
        let log = Mutex<[String]>([])
        let library = try LibraryStore(data)
        let responder = responder(PlaylistRoutes(library: library, accounts: try accounts(library))) { text in
            log.withLock { $0.append(text) }
        }
        let response = await responder.respond(to: HTTPRequest(.get, "/api/playlists"))
        #expect(response.status == .internalServerError)
        guard case .bytes(let body) = response.body else {
            Issue.record("no content")
            return
        }
        #expect(String(decoding: body, as: UTF8.self).contains("\"database_damaged\""))
        #expect(log.withLock { $0.count } == 1)
        #expect(
            log.withLock { $0.first?.contains(path) == true && $0.first?.contains("analyze-cli") == true })
    }

    @Test("System errors for a full disk or quota are recognised")
    func systemErrors() {
        for error in [
            POSIXError(.ENOSPC), POSIXError(.EDQUOT), CocoaError(.fileWriteOutOfSpace),
            HTTPServerError(.inputOutput, "x", errorNumber: ENOSPC),
            DatabaseError(.full, message: "x"),
        ] as [any Error] {
            #expect(StorageFailure(error)?.answer.status == .insufficientStorage, "\(error)")
        }
        for error in [
            POSIXError(.EIO), CocoaError(.fileNoSuchFile), DatabaseError(.busy, message: "x"),
            CancellationError(),
        ] as [any Error] {
            #expect(StorageFailure(error) == nil, "\(error)")
        }
    }
}
