import ClientTestSupport
import StreamClient
import StreamClientHost
import TestSupport
import Testing

@Suite struct LibrarySwitcherTests {
    @Test("Another host takes over")
    func anotherHostTakesOver() async throws {
        let attic = try FaultyServer(try FakeHost.resources())
        let studio = try FaultyServer(try FakeHost.resources(name: "Studio"))
        let switcher = LibrarySwitcher([
            FakeHost.connection([attic], id: "attic"), FakeHost.connection([studio], id: "studio"),
        ])
        var events = await switcher.events().makeAsyncIterator()
        try await switcher.select(id: "attic")
        #expect(await events.next() == .selected(id: "attic", isOnline: true))
        #expect(await switcher.check()?.host.id == "attic")
        attic.goAway()
        #expect(await switcher.check()?.host.id == "studio")
        #expect(await events.next() == .lost(id: "attic"))
        #expect(await events.next() == .selected(id: "studio", isOnline: true))
        studio.goAway()
        #expect(await switcher.check() == nil)
        #expect(await events.next() == .lost(id: "studio"))
        #expect(await events.next() == .unavailable)
    }

    @Test("The copy is used until the host is back")
    func theCopyIsReadUntilTheHostIsBack() async throws {
        let directory = try TemporaryDirectory()
        let attic = try FaultyServer(
            try FakeHost.resources().merging(["/db": .init(try FakeHost.library(revision: 1))]) { $1 })
        let connection = FakeHost.connection([attic], id: "attic")
        let copy = LibraryCopy(folder: directory.path)
        try await copy.refresh(from: connection)
        let switcher = LibrarySwitcher([connection], copies: ["attic": copy])
        try await switcher.select(id: "attic")
        attic.goAway()
        let offline = try #require(await switcher.check())
        #expect(!offline.isOnline)
        #expect(offline.provider is LocalLibrary)
        // The same if the program starts while the host is offline.
        let later = LibrarySwitcher(
            [FakeHost.connection([attic], id: "attic")], copies: ["attic": copy])
        #expect(try await later.select(id: "attic").isOnline == false)
        try attic.comeBack()
        #expect(await switcher.check()?.isOnline == true)
    }

    @Test("The copy is not used for a host that rejects the key")
    func aHostThatRefusesTheKeyIsNotMadeUpForByItsCopy() async throws {
        let directory = try TemporaryDirectory()
        let attic = try FaultyServer(
            try FakeHost.resources().merging(["/db": .init(try FakeHost.library(revision: 1))]) { $1 }
        ) { $0.path == "/auth" && $0.number > 1 ? .status(401) : .none }
        let connection = FakeHost.connection([attic], id: "attic")
        let copy = LibraryCopy(folder: directory.path)
        try await copy.refresh(from: connection)
        let switcher = LibrarySwitcher([connection], copies: ["attic": copy])
        let error = await failure { () async throws(ClientError) in try await switcher.select(id: "attic") }
        #expect(error?.code == .unauthorized)
        #expect(await switcher.selection == nil)
    }
}
