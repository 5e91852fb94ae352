import Catalogue
import Foundation
import MusicShared
import SQLiteDatabase
import Testing
import TestSupport
@testable import LibraryStore

@testable import Companion

/// Accounts side by side: each has its own listening data and playlists.
@Suite("Accounts", .ownAndSharedListening)
struct AccountTests {
    private let data: TemporaryData
    private let library: LibraryStore
    private let store: ListeningStore
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        data = try TemporaryData()
        library = try LibraryStore(data.folder)
        store = try ListeningStores.open(data.folder)
        try library.record(
            [
                Sample.record("a.mp3", hash: 1, tags: Sample.tags("A")),
                Sample.record("b.mp3", hash: 2, tags: Sample.tags("B", artist: "Other", album: "Second")),
            ], isPresent: Sample.present)
    }

    private func id(_ path: String) throws -> Int {
        try #require(try library.track(path: try Sample.path(path))).track.id
    }

    private func add(_ name: String, _ role: AccountRole = .listener) throws -> AccountListening {
        store.account(try store.addAccount(name: name, role: role).id)
    }

    @discardableResult
    private func apply(
        _ kind: ListeningAction.Kind, _ path: String, by own: AccountListening, at: Double = 1000,
        id: String? = nil, rating: Int? = nil, client: String? = nil
    ) throws -> ListeningResults.Outcome? {
        var action = ListeningAction(kind, actionID: id, at: at)
        action.relativePath = path
        action.rating = rating
        action.client = client
        return try own.apply([action], now: now).results.first?.status
    }

    private func state(_ path: String, of own: AccountListening) throws -> ListeningState {
        let id = try id(path)
        return try #require(try own.look { try $0.track(id: id) }?.listening)
    }

    // MARK: - The list of accounts

    @Test(
        "A new store has the account of the API key, an owner that can be renamed but neither demoted nor deleted"
    )
    func mainAccount() throws {
        let main = try #require(try store.accounts.first)
        #expect(try store.accounts.count == 1)
        #expect(main.id == Account.mainID && main.name == "owner" && main.role == .owner)
        #expect(abs(main.createdAt - Date().timeIntervalSince1970) < 60)
        try store.nameMainAccount("Bob")
        #expect(try store.account(withID: Account.mainID)?.name == "Bob")
        for role in [AccountRole.listener, .editor] {
            let error = #expect(throws: StoreError.self) {
                try store.changeAccount(id: Account.mainID, role: role)
            }
            #expect(error?.code == .mainAccount)
        }
        let error = #expect(throws: StoreError.self) { try store.removeAccount(id: Account.mainID) }
        #expect(error?.code == .mainAccount)
        #expect(try store.account(withID: Account.mainID)?.role == .owner)
    }

    @Test("Names are unique without regard to case, and ids are not used again")
    func names() throws {
        let anna = try store.addAccount(name: "Änna", role: .editor, email: "a@example.org")
        #expect(try store.account(named: "ÄNNA") == anna && store.accounts.map(\.name) == ["owner", "Änna"])
        for taken in ["änna", "A\u{308}nna", "OWNER"] {
            let error = #expect(throws: StoreError.self) {
                try store.addAccount(name: taken, role: .listener)
            }
            #expect(error?.code == .accountNameTaken, "\(taken)")
        }
        let renamed = #expect(throws: StoreError.self) { try store.nameMainAccount("änna") }
        #expect(renamed?.code == .accountNameTaken)
        let names = ["", " anna", "anna ", "an\nna", String(repeating: "x", count: 65)]
        for bad in names {
            let error = #expect(throws: StoreError.self) { try store.addAccount(name: bad, role: .listener) }
            #expect(error?.code == .badAccount, "\(bad)")
        }
        try store.removeAccount(id: anna.id)
        #expect(try store.addAccount(name: "Änna", role: .listener).id > anna.id)
    }

    @Test("Role and email change; another program's changes are seen at once")
    func changes() throws {
        let other = try ListeningStores.open(data.folder)
        let anna = try store.addAccount(name: "anna", role: .listener)
        #expect(try other.account(named: "anna")?.role == .listener)
        #expect(try store.changeAccount(id: anna.id, role: .owner, email: .some("a@b")).role == .owner)
        #expect(try other.account(named: "anna")?.role == .owner)
        #expect(try other.account(named: "anna")?.email == "a@b")
        #expect(try store.changeAccount(id: anna.id, email: .some(nil)).email == nil)
        try other.removeAccount(id: anna.id)
        #expect(try store.account(withID: anna.id) == nil)
        let error = #expect(throws: StoreError.self) { try store.changeAccount(id: anna.id, role: .editor) }
        #expect(error?.code == .noSuchAccount)
    }

    // MARK: - Listening

    @Test("Stars, ratings, plays and history of two accounts are separate")
    func listening() throws {
        let (main, anna) = (store.account(Account.mainID), try add("anna"))
        try apply(.star, "a.mp3", by: main)
        try apply(.rate, "a.mp3", by: anna, rating: 2)
        // The same id and time count for each account.
        #expect(try apply(.play, "a.mp3", by: main, at: 5, id: "x") == .applied)
        #expect(try apply(.play, "a.mp3", by: anna, at: 5, id: "x") == .applied)
        #expect(try apply(.play, "a.mp3", by: anna, at: 5, id: "x") == .duplicate)
        try apply(.play, "b.mp3", by: anna, at: 6)
        let mine = try state("a.mp3", of: main)
        let hers = try state("a.mp3", of: anna)
        #expect(mine.isStarred && mine.rating == nil && mine.playCount == 1)
        #expect(!hers.isStarred && hers.rating == 2 && hers.playCount == 1)
        #expect(try state("b.mp3", of: main) == ListeningState())
        for (own, plays, starred) in [(main, ["a.mp3"], ["a.mp3"]), (anna, ["b.mp3", "a.mp3"], [])] {
            try own.look { reader in
                let history = try reader.history(PlayRange(), limit: 10, offset: 0)
                #expect(history.items.map(\.relativePath) == plays && history.total == plays.count)
                #expect(try reader.plays(after: 0, limit: 10).count == plays.count)
                let list = try reader.tracks(.starred, limit: 10, offset: 0)
                #expect(list.items.map(\.relativePath) == starred && list.total == starred.count)
                let recent = try reader.tracks(.recentlyPlayed, limit: 10, offset: 0)
                #expect(recent.items.map(\.relativePath) == plays)
                #expect(try reader.artists(.mostPlayed, limit: 10, offset: 0).total == plays.count)
                #expect(try reader.exportedStates(after: 0, limit: 10).count == Set(plays + starred).count)
            }
        }
        #expect(try main.look { try $0.revision } != anna.look { try $0.revision })
        // An account cannot delete plays of another.
        let play = try #require(try anna.look { try $0.plays(after: 0, limit: 1) }.first)
        #expect(try !main.deletePlay(id: play.id))
        #expect(try main.deletePlays(in: PlayRange(), keepsCounts: false) == 1)
        #expect(try state("a.mp3", of: anna).playCount == 1 && state("a.mp3", of: main).playCount == 0)
        #expect(try anna.deletePlay(id: play.id))
    }

    @Test("Stars of albums and top tracks of artists are the account's own")
    func groups() throws {
        let (main, anna) = (store.account(Account.mainID), try add("anna"))
        let track = try #require(try library.track(path: try Sample.path("a.mp3"))).track
        let (album, artist) = (try #require(track.albumID), try #require(track.artistID))
        var star = ListeningAction(.star)
        star.albumID = album
        _ = try anna.apply([star], now: now)
        #expect(try anna.look { try $0.album(id: album) }?.listening?.isStarred == true)
        #expect(try main.look { try $0.album(id: album) }?.listening?.isStarred == false)
        try apply(.play, "a.mp3", by: anna)
        #expect(try anna.look { try $0.artist(id: artist) }?.listening?.playCount == 1)
        #expect(try main.look { try $0.artist(id: artist) }?.listening?.playCount == 0)
        #expect(
            try main.look { try $0.topTracks(artistID: artist, limit: 5) }.map(\.listening?.playCount) == [0])
    }

    @Test("What is playing, play queues and bookmarks are the account's own")
    func players() throws {
        let (main, anna) = (store.account(Account.mainID), try add("anna"))
        let (a, b) = (try id("a.mp3"), try id("b.mp3"))
        try apply(.nowPlaying, "a.mp3", by: main, at: 1_799_999_990, client: "phone")
        try apply(.nowPlaying, "b.mp3", by: anna, at: 1_799_999_990, client: "phone")
        #expect(try main.nowPlaying(now: now).items.map(\.track.id) == [a])
        #expect(try anna.nowPlaying(now: now).items.map(\.track.id) == [b])
        _ = try anna.take(
            PlaybackReport(trackID: a, state: .playing, positionSeconds: 0, rate: 1, isUncounted: false),
            client: "tv", now: now)
        #expect(main.playbackSessions().isEmpty && anna.playbackSessions().keys.sorted() == ["tv"])
        try main.saveQueue(trackIDs: [a, b], currentIndex: 1, positionMilliseconds: 7, changedBy: "x")
        #expect(try anna.queue() == nil)
        try anna.saveQueue(trackIDs: [b], currentIndex: 0, positionMilliseconds: 9, changedBy: "y")
        #expect(try main.queue()?.tracks.map(\.id) == [a, b] && anna.queue()?.tracks.map(\.id) == [b])
        #expect(try anna.setBookmark(trackID: a, positionMilliseconds: 5, comment: nil))
        #expect(try main.bookmarks().isEmpty && !main.removeBookmark(trackID: a))
        #expect(try anna.bookmarks().map(\.track.id) == [a])
    }

    @Test("A moved file keeps the data of every account")
    func moves() throws {
        let (main, anna) = (store.account(Account.mainID), try add("anna"))
        try apply(.star, "a.mp3", by: main)
        try apply(.rate, "a.mp3", by: anna, rating: 5)
        try library.record(
            [
                Sample.record("a.mp3", hash: 9, modified: 9),
                Sample.record("moved/a.mp3", hash: 1, tags: Sample.tags("A")),
            ], isPresent: Sample.present)
        // Opened again: the same store looks for moves at intervals.
        let again = try ListeningStores.open(data.folder)
        let (mine, hers) = (again.account(main.accountID), again.account(anna.accountID))
        #expect(try state("moved/a.mp3", of: mine).isStarred)
        #expect(try state("moved/a.mp3", of: hers).rating == 5)
        #expect(try state("moved/a.mp3", of: hers).isStarred == false)
    }

    @Test("Deleting an account deletes its data, and that of no other")
    func deletion() throws {
        let (main, anna) = (store.account(Account.mainID), try add("anna"))
        let a = try id("a.mp3")
        for own in [main, anna] {
            try apply(.play, "a.mp3", by: own, id: "p")
            try own.saveQueue(trackIDs: [a], currentIndex: 0, positionMilliseconds: 0, changedBy: "")
            _ = try own.setBookmark(trackID: a, positionMilliseconds: 0, comment: nil)
        }
        try store.removeAccount(id: anna.accountID)
        #expect(try state("a.mp3", of: anna) == ListeningState() && anna.queue() == nil)
        #expect(try state("a.mp3", of: main).playCount == 1 && main.bookmarks().count == 1)
        let rows = try sqlite3Tool(
            data.folder.listeningDatabase,
            """
            SELECT (SELECT count(*) FROM listened WHERE account_id <> 1), (SELECT count(*) FROM plays
            WHERE account_id <> 1), (SELECT count(*) FROM done_actions WHERE account_id <> 1),
            (SELECT count(*) FROM play_queue_entries WHERE account_id <> 1), (SELECT count(*) FROM bookmarks
            WHERE account_id <> 1), (SELECT count(*) FROM plays); PRAGMA foreign_key_check;
            """
        ).output
        #expect(rows == "0|0|0|0|0|1\n")
    }

    // MARK: - Playlists

    @Test("Private playlists exist for their account only; public ones are seen by all and changed by owners")
    func playlists() throws {
        let anna = PlaylistUser(accountID: try add("anna").accountID, isHostOwner: false)
        let (own, other) = (
            try library.makePlaylist(name: "P", ownerID: anna.accountID),
            try library.makePlaylist(name: "P", ownerID: Account.mainID)
        )
        func names(_ accountID: Int?) throws -> [Int] {
            let query = CatalogueQuery(sort: PlaylistSort.name, limit: 9)
            return try library.catalogue { try $0.playlists(query, visibleTo: accountID) }.items.map(\.id)
        }
        func code(_ id: Int, _ user: PlaylistUser) throws -> StoreError.Code? {
            do {
                try library.editPlaylist(id: id, by: user, [.describe("new")])
                return nil
            } catch let error as StoreError {
                return error.code
            }
        }
        #expect(try names(anna.accountID) == [own] && names(Account.mainID) == [other])
        #expect(try names(nil).count == 2)
        #expect(try code(own, anna) == nil && code(other, anna) == .notFound && code(own, .main) == .notFound)
        #expect(
            try library.catalogue { try $0.playlist(id: own, limit: 1, offset: 0, visibleTo: 1) } == nil)
        for id in [own, other] {
            try library.editPlaylist(
                id: id, by: id == own ? anna : .main, [.publish(true)])
        }
        #expect(try names(anna.accountID).count == 2 && names(Account.mainID).count == 2)
        // Only an owner of the host changes public ones of others.
        #expect(try code(other, anna) == .notOwner && code(own, .main) == nil && code(own, anna) == nil)
        let error = #expect(throws: StoreError.self) { try library.removePlaylist(id: other, by: anna) }
        #expect(error?.code == .notOwner)
        let taken = #expect(throws: StoreError.self) {
            try library.makePlaylist(name: "P", ownerID: anna.accountID)
        }
        #expect(taken?.code == .nameTaken)
        try library.removePlaylists(ofAccount: anna.accountID)
        #expect(try names(nil) == [other])
    }

    @Test("A copy of the library for several accounts holds no trace of private playlists")
    func copies() throws {
        let track = try id("a.mp3")
        _ = try library.makePlaylist(name: "Surprise party", trackIDs: [track])
        _ = try library.makePlaylist(name: "Everyone", trackIDs: [track], isPublic: true)
        for (hasPrivate, contents) in [(true, LibraryCopyContents.slim), (false, .slim), (false, .whole)] {
            let path = "\(data.folder.path)/copy-\(hasPrivate)-\(contents)"
            try library.writeCopy(contents, hasPrivatePlaylists: hasPrivate, to: path)
            let bytes = try Data(contentsOf: URL(filePath: path))
            #expect((bytes.range(of: Data("Surprise".utf8)) != nil) == hasPrivate)
            #expect(bytes.range(of: Data("Everyone".utf8)) != nil)
            let count = try sqlite3Tool(path, "SELECT count(*) FROM playlist_entries").output
            #expect(count == (hasPrivate ? "2\n" : "1\n"))
        }
    }

    // MARK: - Events

    @Test("Events of an account are left out for others, whose cursor still moves on")
    func events() throws {
        let work = try WorkStore(data.folder)
        let start = try work.latestCursor()
        try work.announce([.listeningChanged], toAccount: 2)
        try work.announce([.warning(code: "w", message: "")])
        try work.announce([.listeningChanged], toAccount: 1)
        func events(_ account: Int?) throws -> [PushEvent] {
            let page = try work.events(after: start, limit: 10, ofAccount: account)
            #expect(try page.end == work.latestCursor())
            return page.messages.map(\.event)
        }
        #expect(try events(1) == [.warning(code: "w", message: ""), .listeningChanged])
        #expect(try events(2) == [.listeningChanged, .warning(code: "w", message: "")])
        #expect(try events(3) == [.warning(code: "w", message: "")])
        #expect(try events(nil).count == 3)
        let first = try work.events(after: start, limit: 1, ofAccount: 1)
        #expect(first.messages.isEmpty && first.hasMore)
    }
}
