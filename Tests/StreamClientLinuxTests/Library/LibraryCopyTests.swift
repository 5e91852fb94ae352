import ClientTestSupport
import Foundation
import StreamClient
import StreamClientHost
import TestSupport
import Testing

@Suite struct LibraryCopyTests {
    private func server(
        _ fault: @escaping @Sendable (FaultyServer.Request) -> FaultyServer.Fault = { _ in .none }
    ) throws -> FaultyServer {
        let database = FaultyServer.Resource(try FakeHost.library(revision: 1), entityTag: "\"one\"")
        return try FaultyServer(
            try FakeHost.resources().merging(["/db": database]) { $1 }, fault: fault)
    }

    @Test("The library is downloaded once, and again only when it changes")
    func isTakenOnceAndThenOnlyWhenItChanges() async throws {
        let directory = try TemporaryDirectory()
        let server = try server()
        let connection = FakeHost.connection([server])
        let copy = LibraryCopy(folder: directory.file("attic"))
        #expect(throws: ClientError.self) { try copy.library() }
        #expect(try await copy.refresh(from: connection) == .replaced)
        let old = try copy.library()
        #expect(try await old.revision() == "e.1")
        // Another process, later.
        #expect(
            try await LibraryCopy(folder: directory.file("attic")).refresh(from: connection) == .unchanged)
        #expect(server.requests.last?.fields["if-none-match"] == "\"one\"")

        server.serve(.init(try FakeHost.library(revision: 2), entityTag: "\"two\""), at: "/db")
        #expect(try await copy.refresh(from: connection) == .replaced)
        #expect(try await copy.library().revision() == "e.2")
        // Readers of the old copy keep using it.
        #expect(try await old.revision() == "e.1")
    }

    @Test(
        arguments: [
            .close, .cut(after: 3000), .reset(after: 3000), .status(503), .stall(after: 5000, seconds: 0),
        ] as [FaultyServer.Fault])
    func theOldOneStaysWhereTheNewOneDoesNotCome(fault: FaultyServer.Fault) async throws {
        let directory = try TemporaryDirectory()
        let server = try server { $0.path == "/db" && $0.number > 1 ? fault : .none }
        let connection = FakeHost.connection([server])
        let copy = LibraryCopy(folder: directory.path)
        #expect(try await copy.refresh(from: connection) == .replaced)
        server.serve(.init(try FakeHost.library(revision: 2), entityTag: "\"two\""), at: "/db")
        let error = await failure { () async throws(ClientError) in try await copy.refresh(from: connection) }
        // A mere pause is not a failure.
        let isHarmless = fault == .stall(after: 5000, seconds: 0)
        #expect((error == nil) == isHarmless)
        #expect(try await copy.library().revision() == (isHarmless ? "e.2" : "e.1"))
    }

    @Test("Anything but an intact library is rejected")
    func whatIsNoLibraryIsNotTaken() async throws {
        let directory = try TemporaryDirectory()
        let server = try server()
        let connection = FakeHost.connection([server])
        let copy = LibraryCopy(folder: directory.path)
        try await copy.refresh(from: connection)
        var damaged = try FakeHost.library(revision: 3)
        for place in 4096..<damaged.count { damaged[place] = 0xFF }
        for content in [Array("<html>".utf8), damaged, []] {
            server.serve(.init(content, entityTag: "\"x\(content.count)\""), at: "/db")
            let error = await failure { () async throws(ClientError) in
                try await copy.refresh(from: connection)
            }
            #expect(error?.code == .badCopy)
            #expect(try await copy.library().revision() == "e.1")
        }
    }

    @Test("Concurrent refreshes share one download")
    func manyRefreshesAtOnceAreOne() async throws {
        let directory = try TemporaryDirectory()
        let server = try server { $0.path == "/db" ? .stall(after: 0, seconds: 0.3) : .none }
        let connection = FakeHost.connection([server])
        let copy = LibraryCopy(folder: directory.path)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<5 {
                group.addTask { _ = try? await copy.refresh(from: connection) }
            }
        }
        #expect(server.requests.filter { $0.path == "/db" }.count == 1)
        #expect(try await copy.library().revision() == "e.1")
    }
}
