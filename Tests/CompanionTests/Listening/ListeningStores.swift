import Foundation
import LibraryStore
import PostgreSQLDatabase
import SharedListening
import SQLiteDatabase
import Synchronization
import Testing
import TestSupport
import Threads

/// Opens the stores of tests that run twice: with listening data of its own, and with data that is shared in PostgreSQL.
enum ListeningStores {
    @TaskLocal static var areShared = false

    /// Opens the store of a data folder. Stores of the same folder share the same database.
    static func open(_ folder: DataFolder, smart: SmartPlaylists? = nil) throws -> ListeningStore {
        guard areShared else { return try ListeningStore(folder, smart: smart) }
        let name = folder.path.split(separator: "/").suffix(2).joined(separator: "-").suffix(60)
        let address = try PostgreSQLServer.shared.get().makeDatabase(String(name))
        return try ListeningStore(
            folder, smart: smart, shared: PostgreSQLListening(try PostgreSQLAddress(address)))
    }

    /// Opens the library of a data folder, with playlists of its own or shared ones.
    static func library(_ folder: DataFolder) throws -> LibraryStore {
        let library = try LibraryStore(folder)
        guard areShared else { return library }
        try library.sharePlaylists(with: try open(folder, smart: library.smartPlaylists), in: folder)
        return library
    }
}

/// Runs each test of a suite twice.
struct ListeningStoresTrait: TestTrait, SuiteTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        for areShared in [false, true] {
            try await ListeningStores.$areShared.withValue(areShared, operation: function)
        }
    }
}

extension Trait where Self == ListeningStoresTrait {
    /// Each test runs with listening data of its own, and with data that is shared in PostgreSQL.
    static var ownAndSharedListening: Self { ListeningStoresTrait() }
}

/// Repeats something while the shared database is away.
func retried<Value>(_ body: () throws -> Value) throws -> Value {
    while true {
        do { return try body() } catch let error as SharedListeningError where error.isAway {
            DedicatedThread.sleep(seconds: 0.1)
        }
    }
}

/// Changes that several clients make while servers fail.
final class ClientProgress: Sendable {
    let confirmed = Mutex<[String]>([])
    let refused = Mutex(0)
    let isDone = Mutex(false)

    /// Lets clients change something again and again, meanwhile kills a server and lets its copy take over.
    /// - Parameters:
    ///   - count: number of confirmed changes before that.
    ///   - change: makes a change of a client by its number, and notes it where it is confirmed.
    func failOver(
        from primary: PostgreSQLServer, to replica: PostgreSQLServer, after count: Int, clients: Int,
        change: @escaping @Sendable (_ client: Int, _ number: Int) throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<clients {
                group.addTask {
                    try await DedicatedThread.run("test") {
                        var number = 0
                        while !self.isDone.withLock({ $0 }) {
                            number += 1
                            try change(client, number)
                        }
                    }
                }
            }
            group.addTask { try await self.failOver(from: primary, to: replica, after: count) }
            try await group.waitForAll()
        }
    }

    /// Kills a server once more than some changes are confirmed, lets its copy take over, and ends after further changes.
    private func failOver(
        from primary: PostgreSQLServer, to replica: PostgreSQLServer, after count: Int
    ) async throws {
        try await until { self.confirmed.withLock(\.count) > count }
        let before = confirmed.withLock(\.count)
        primary.kill()
        try await DedicatedThread.run("test") { try replica.promote() }
        try await until { self.confirmed.withLock(\.count) > before + 20 }
        isDone.withLock { $0 = true }
    }
}
