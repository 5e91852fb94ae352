import Companion
import Foundation
import HTTPServer
import MusicShared
import Testing
import TestSupport
@testable import HostAccounts
@testable import LibraryStore

@testable import StreamHost

@Suite("Accounts through the OpenSubsonic API", .timeLimit(.minutes(30)))
struct SubsonicAccountTests {
    /// A library with the accounts anna, a listener, and eddy, an editor, each with an app password.
    private struct Family {
        let library: SubsonicLibrary
        let accounts: Accounts
        let anna: String
        let eddy: String

        init(_ library: SubsonicLibrary) throws {
            self.library = library
            accounts = try Accounts(data: library.served.data)
            var credentials: [String] = []
            for (name, role) in [("anna", AccountRole.listener), ("eddy", .editor)] {
                _ = try accounts.add(name: name, role: role, password: "correct horse")
                credentials.append("u=\(name)&p=\(try accounts.appPasswords.add(account: name, name: "app"))")
            }
            (anna, eddy) = (credentials[0], credentials[1])
        }

        func object(
            _ endpoint: String, _ query: String = "", as credentials: String? = nil, _ key: String
        ) async throws -> [String: Any] {
            let answer = try await library.ask(endpoint, query, credentials: credentials)
            return try #require(answer[key] as? [String: Any], "\(endpoint)?\(query): \(answer)")
        }
    }

    /// Number of objects in a list of an answer; 0 also for a missing list.
    private func count(_ answer: [String: Any], _ element: String, _ key: String) -> Int {
        let object = answer[element] as? [String: Any]
        return (object?[key] as? [Any])?.count ?? 0
    }

    private func withFamily(_ body: (Family) async throws -> Void) async throws {
        try await SubsonicLibrary.with { library in
            try await body(try await aside { try Family(library) })
        }
    }

    @Test("Stars, ratings, plays, queues and bookmarks of two accounts are separate")
    func separate() async throws {
        try await withFamily { family in
            let library = family.library
            let id = try library.id("a/1.mp3")
            func song(_ credentials: String?) async throws -> [String: Any] {
                try await family.object("getSong", "id=\(id)", as: credentials, "song")
            }
            for (endpoint, query) in [
                ("star", "id=\(id)"), ("setRating", "id=\(id)&rating=4"),
                ("scrobble", "id=\(id)&time=1700000000000"), ("scrobble", "id=\(id)&submission=false"),
                ("savePlayQueue", "id=\(id)&current=\(id)&position=5"),
                ("createBookmark", "id=\(id)&position=7"),
            ] {
                #expect(try await library.error(endpoint, query, credentials: family.anna) == nil)
            }
            let hers = try await song(family.anna)
            #expect(
                hers["starred"] != nil && hers["userRating"] as? Int == 4 && hers["playCount"] as? Int == 1)
            for other in [nil, family.eddy] {
                let song = try await song(other)
                #expect(song["starred"] == nil && song["userRating"] == nil)
                #expect(song["playCount"] as? Int == 0 && song["played"] == nil)
                let playing = try await library.ask("getNowPlaying", credentials: other)
                #expect(count(playing, "nowPlaying", "entry") == 0)
                #expect(try await library.ask("getPlayQueue", credentials: other)["playQueue"] == nil)
                let marks = try await library.ask("getBookmarks", credentials: other)
                #expect(count(marks, "bookmarks", "bookmark") == 0)
                let starred = try await library.ask("getStarred2", credentials: other)
                #expect(count(starred, "starred2", "song") == 0)
            }
            let queue = try await family.object("getPlayQueue", as: family.anna, "playQueue")
            #expect(queue["username"] as? String == "anna" && queue["position"] as? Int == 5)
            let playing = try await family.object("getNowPlaying", as: family.anna, "nowPlaying")
            #expect((playing["entry"] as? [[String: Any]])?.texts("username") == ["anna"])
        }
    }

    @Test("Foreign private playlists are not found; public ones are read by all and changed by their owner")
    func playlists() async throws {
        try await withFamily { family in
            let library = family.library
            let song = try library.id("a/1.mp3")
            let created = try await family.object(
                "createPlaylist", "name=Hers&songId=\(song)", as: family.anna, "playlist")
            #expect(created["owner"] as? String == "anna" && created["public"] as? Bool == false)
            let id = try #require(created["id"] as? String)
            func names(_ credentials: String?, _ query: String = "") async throws -> [String] {
                let answer = try await library.ask("getPlaylists", query, credentials: credentials)
                let lists = (answer["playlists"] as? [String: Any])?["playlist"] as? [[String: Any]]
                return (lists ?? []).texts("name")
            }
            for other in [nil, family.eddy] {
                #expect(try await names(other) == [])
                for (endpoint, query) in [
                    ("getPlaylist", "id=\(id)"), ("deletePlaylist", "id=\(id)"),
                    ("updatePlaylist", "playlistId=\(id)&name=x"), ("createPlaylist", "playlistId=\(id)"),
                    ("getCoverArt", "id=\(id)"),
                ] {
                    #expect(
                        try await library.error(endpoint, query, credentials: other) == 70, "\(endpoint)")
                }
            }
            #expect(
                try await library.error(
                    "updatePlaylist", "playlistId=\(id)&public=true", credentials: family.anna) == nil)
            for other in [nil, family.eddy] {
                #expect(try await names(other) == ["Hers"])
                let read = try await family.object("getPlaylist", "id=\(id)", as: other, "playlist")
                #expect(read["owner"] as? String == "anna" && read["public"] as? Bool == true)
                #expect((read["entry"] as? [[String: Any]])?.texts("id") == [song])
            }
            for (endpoint, query) in [
                ("deletePlaylist", "id=\(id)"), ("updatePlaylist", "playlistId=\(id)&name=x"),
                ("createPlaylist", "playlistId=\(id)&songId=\(song)"),
            ] {
                #expect(try await library.error(endpoint, query, credentials: family.eddy) == 50)
            }
            #expect(try await names(nil, "username=anna") == ["Hers"])
            #expect(try await names(nil, "username=eddy") == [])
            #expect(try await library.error("getPlaylists", "username=anna", credentials: family.eddy) == 50)
            // The host's owner may change it.
            #expect(try await library.error("updatePlaylist", "playlistId=\(id)&name=Ours") == nil)
            #expect(try await names(family.anna) == ["Ours"])
            // Another account may use the same name.
            #expect(try await library.error("createPlaylist", "name=Ours", credentials: family.eddy) == nil)
            #expect(try await library.error("createPlaylist", "name=Ours", credentials: family.anna) == 0)
        }
    }

    @Test("Roles are reported as the protocol's rights, and what they forbid has the code 50")
    func roles() async throws {
        try await withFamily { family in
            let library = family.library
            for (name, credentials, admin, upload) in [
                ("owner", library.credentials, true, true), ("eddy", family.eddy, false, true),
                ("anna", family.anna, false, false),
            ] {
                let user = try await family.object("getUser", "username=\(name)", as: credentials, "user")
                #expect(user["username"] as? String == name)
                #expect(user["adminRole"] as? Bool == admin && user["uploadRole"] as? Bool == upload)
                #expect(user["coverArtRole"] as? Bool == upload && user["streamRole"] as? Bool == true)
                let isOwner = name == "owner"
                #expect(
                    try await library.error("getUser", "username=anna", credentials: credentials)
                        == (isOwner || name == "anna" ? nil : 50))
                for (endpoint, query) in [
                    ("getUsers", ""), ("startScan", ""),
                    ("createInternetRadioStation", "name=r&streamUrl=http://r"),
                    ("createUser", "username=\(name)2&password=long%20enough&email=x@y"),
                    ("updateUser", "username=\(name)&email=new@y"), ("deleteUser", "username=\(name)2"),
                ] {
                    #expect(
                        try await library.error(endpoint, query, credentials: credentials)
                            == (isOwner ? nil : 50), "\(endpoint) by \(name)")
                }
            }
            let users = try await library.list("getUsers", "", "users", "user")
            #expect(users.texts("username") == ["owner", "anna", "eddy"])
        }
    }

    @Test("Accounts are created, changed and deleted; their passwords do not work here")
    func users() async throws {
        try await withFamily { family in
            let library = family.library
            func role(_ name: String) throws -> AccountRole { try family.accounts.account(named: name).role }
            #expect(
                try await library.error(
                    "createUser", "username=carl&password=enc:6c6f6e67656e6f756768&email=c@d")
                    == nil)
            #expect(try role("carl") == .listener)
            #expect(try await library.error("ping", credentials: "u=carl&p=longenough") == 40)
            #expect(try await library.error("ping", credentials: "apiKey=longenough") == 44)
            for (query, expected) in [
                ("uploadRole=true", AccountRole.editor), ("downloadRole=true", .editor),
                ("adminRole=true", .owner), ("adminRole=false&uploadRole=false", .listener),
                ("coverArtRole=true", .editor),
            ] {
                #expect(try await library.error("updateUser", "username=CARL&\(query)") == nil)
                #expect(try role("carl") == expected, "\(query)")
            }
            let user = try await family.object("getUser", "username=carl", "user")
            #expect(user["email"] as? String == "c@d")
            for (endpoint, query, code) in [
                ("createUser", "username=carl&password=longenough&email=c@d", 0),
                ("createUser", "username=dora&password=short&email=c@d", 0),
                ("createUser", "username=dora", 10), ("createUser", "password=longenough", 10),
                ("updateUser", "username=none", 70), ("deleteUser", "username=none", 70),
                ("deleteUser", "username=owner", 50), ("updateUser", "username=owner&adminRole=false", 50),
                ("changePassword", "username=none&password=longenough", 70),
                ("changePassword", "username=carl&password=short", 0),
            ] {
                #expect(try await library.error(endpoint, query) == code, "\(endpoint)?\(query)")
            }
            // Each changes the own password, owners that of others.
            let mine = "username=anna&password=another%20horse"
            #expect(try await library.error("changePassword", mine, credentials: family.eddy) == 50)
            #expect(try await library.error("changePassword", mine, credentials: family.anna) == nil)
            let theirs = "username=carl&password=another%20horse"
            #expect(try await library.error("changePassword", theirs) == nil)
            #expect(try await library.error("deleteUser", "username=carl") == nil)
            #expect(throws: StoreError.self) { try role("carl") }
        }
    }

    @Test("A deleted account is refused with its next request, and a new one with its name starts empty")
    func deletion() async throws {
        try await withFamily { family in
            let library = family.library
            let id = try library.id("a/1.mp3")
            #expect(try await library.error("star", "id=\(id)", credentials: family.anna) == nil)
            #expect(try await library.error("createPlaylist", "name=Hers", credentials: family.anna) == nil)
            #expect(try await library.error("deleteUser", "username=anna") == nil)
            #expect(try await library.error("ping", credentials: family.anna) == 40)
            #expect(try await library.error("ping", credentials: family.eddy) == nil)
            let accounts = family.accounts
            _ = try await aside { try accounts.add(name: "anna", role: .listener) }
            #expect(try await library.error("ping", credentials: family.anna) == 40)
            let fresh = "apiKey=\(try accounts.appPasswords.add(account: "anna", name: "app"))"
            let song = try await family.object("getSong", "id=\(id)", as: fresh, "song")
            #expect(song["starred"] == nil)
            let lists = try await library.ask("getPlaylists", credentials: fresh)
            #expect(count(lists, "playlists", "playlist") == 0)
        }
    }

    @Test("A redirect to HLS carries a token that ends with the app password")
    func streams() async throws {
        try await withFamily { family in
            let library = family.library
            let id = try library.id("a/1.mp3")
            let response = await library.respond("hls.m3u8", "id=\(id)", credentials: family.anna)
            let address = try #require(response.fields[.location])
            func status() async -> HTTPStatus {
                await library.served.responder.respond(to: HTTPRequest(.get, address)).status
            }
            #expect(await status() == .ok)
            try family.accounts.appPasswords.remove(account: "anna", name: "app")
            #expect(await status() == .unauthorized)
        }
    }
}
