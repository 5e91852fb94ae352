import Companion
import Foundation
import HTTPServer
import MusicShared
import Scrobbling
import Secrets
import Testing
import TestSupport
@testable import APIDescription
@testable import HostAccounts
@testable import HostEditing
@testable import LibraryStore

@testable import StreamHost

@Suite("Accounts at native routes", .timeLimit(.minutes(30)))
struct AccountRouteTests {
    /// A host with the accounts anna, a listener, eddy, an editor, and olga, an owner.
    private struct Family: Sendable {
        let served: ServedLibrary
        let accounts: Accounts
        /// App passwords by the account's name; nil stands for the host's API key.
        let keys: [String: String]

        static let password = "correct horse"

        init(_ served: ServedLibrary) throws {
            self.served = served
            accounts = try Accounts(data: served.data)
            var keys: [String: String] = [:]
            for (name, role) in [("anna", AccountRole.listener), ("eddy", .editor), ("olga", .owner)] {
                _ = try accounts.add(name: name, role: role, password: Self.password)
                keys[name] = try accounts.appPasswords.add(account: name, name: "test")
            }
            self.keys = keys
        }

        /// The answer to a request without a socket.
        func ask(
            _ method: HTTPMethod, _ target: String, as name: String? = nil, _ json: String? = nil,
            tag: String? = nil, from address: String = "192.0.2.1"
        ) async throws -> (status: Int, code: String?, json: [String: Any], tag: String?) {
            let key = name.map { keys[$0] ?? $0 } ?? served.secrets.apiKeyText
            var fields: HTTPFields = key.isEmpty ? [:] : [.authorization: "Bearer \(key)"]
            if json != nil { fields[.contentType] = "application/json" }
            if let tag { fields[method == .get ? .ifNoneMatch : .ifMatch] = tag }
            let request = HTTPRequest(
                method, target, fields: fields, body: json.map { .bytes(Array($0.utf8)) } ?? .empty,
                remoteAddress: RemoteAddress(host: address, port: 1))
            let response = await served.responder.respond(to: request)
            var object: [String: Any] = [:]
            if case .bytes(let bytes) = response.body, !bytes.isEmpty {
                // A playlist is no JSON.
                object = (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any] ?? [:]
            }
            let code = (object["error"] as? [String: Any])?["code"] as? String
            return (response.status.rawValue, code, object, response.fields[.entityTag])
        }

        func signIn(
            _ name: String, _ password: String, from address: String = "192.0.2.1"
        ) async throws -> (status: Int, code: String?, json: [String: Any], tag: String?) {
            let body = try JSONSerialization.data(
                withJSONObject: ["name": name, "password": password, "client": "Tablet"])
            return try await ask(
                .post, "/auth/sign-in", as: "", String(decoding: body, as: UTF8.self), from: address)
        }
    }

    private func withFamily(
        allowedFailures: Int = 1_000_000, _ body: (Family) async throws -> Void
    ) async throws {
        let files = try (1...2).map { number in
            (
                name: "\(number).mp3",
                bytes: try Encoders.lame(
                    PCM.music(frameCount: 44_100, seed: UInt64(number)),
                    ["-b", "64", "--tt", "T\(number)", "--ta", "A", "--tl", "L"])
            )
        }
        try await ServedLibrary.with(files, allowedFailures: allowedFailures) { served in
            try await body(try await aside { try Family(served) })
        }
    }

    // MARK: - Signing in

    @Test("A name and a password give the client an app password of its own, which it can revoke")
    func signIn() async throws {
        try await withFamily { family in
            let answer = try await family.signIn("ANNA", Family.password)
            #expect(answer.status == 201)
            let key = try #require(answer.json["credential"] as? String)
            let account = try #require(answer.json["account"] as? [String: Any])
            #expect(account["name"] as? String == "anna" && account["role"] as? String == "listener")
            let who = try await family.ask(.get, "/auth", as: key)
            #expect((who.json["account"] as? [String: Any])?["name"] as? String == "anna")
            let owner = try await family.ask(.get, "/auth")
            #expect((owner.json["account"] as? [String: Any])?["id"] as? Int == Account.mainID)
            // A second client of the same name gets one of its own.
            let second = try #require(
                try await family.signIn("anna", Family.password).json["credential"] as? String)
            let names = try family.accounts.appPasswords.list().filter { $0.account == "anna" }.map(\.name)
            #expect(names == ["test", "Tablet", "Tablet 2"])
            #expect(try await family.ask(.delete, "/auth/sign-in", as: key).status == 204)
            #expect(try await family.ask(.get, "/auth", as: key).code == "wrong_key")
            #expect(try await family.ask(.get, "/auth", as: second).status == 200)
            #expect(try await family.ask(.delete, "/auth/sign-in").code == "no_app_password")
        }
    }

    @Test("Wrong names and passwords have one answer, and the account's password is no key")
    func wrongPasswords() async throws {
        try await withFamily { family in
            for (name, password) in [
                ("anna", "wrong horse"), ("nobody", Family.password), ("owner", Family.password),
                ("anna", ""),
            ] {
                let answer = try await family.signIn(name, password)
                #expect(answer.status == 401 && answer.code == "wrong_password", "\(name)")
            }
            #expect(try await family.ask(.get, "/auth", as: Family.password).status == 401)
            #expect(try await family.ask(.post, "/auth/sign-in", as: "", "{}").code == "missing_field")
        }
    }

    @Test("Wrong passwords are limited by address and account; others and app passwords are not locked out")
    func limits() async throws {
        try await withFamily(allowedFailures: 3) { family in
            for _ in 1...3 { #expect(try await family.signIn("anna", "wrong").status == 401) }
            let blocked = try await family.signIn("anna", "wrong")
            #expect(blocked.status == 429 && blocked.code == "too_many_failures")
            #expect(try await family.signIn("ANNA", Family.password).status == 429)
            // The same address with another account, the same account from another address, and what is signed in.
            #expect(try await family.signIn("eddy", Family.password).status == 201)
            #expect(try await family.signIn("anna", Family.password, from: "192.0.2.2").status == 201)
            #expect(try await family.ask(.get, "/auth", as: "anna").status == 200)
            let change = #"{"current_password": "wrong", "password": "another horse"}"#
            #expect(try await family.ask(.put, "/auth/password", as: "anna", change).status == 429)
        }
    }

    @Test("Each account changes its own password with the current one; app passwords stay valid")
    func ownPassword() async throws {
        try await withFamily { family in
            let changes: [(current: String, new: String, status: Int)] = [
                ("wrong horse", "another horse", 403), (Family.password, "short", 422),
                (Family.password, "another horse", 204),
            ]
            for change in changes {
                let body = "{\"current_password\": \"\(change.current)\", \"password\": \"\(change.new)\"}"
                let answer = try await family.ask(.put, "/auth/password", as: "anna", body)
                #expect(answer.status == change.status)
            }
            #expect(try await family.signIn("anna", Family.password).status == 401)
            #expect(try await family.signIn("anna", "another horse").status == 201)
            #expect(try await family.ask(.get, "/auth", as: "anna").status == 200)
        }
    }

    @Test("Passwords are stored as Argon2id hashes with salts of their own, in host.json only")
    func storage() async throws {
        try await withFamily { family in
            let folder = family.served.data.path
            let json = try String(contentsOfFile: "\(folder)/host.json", encoding: .utf8)
                .replacing("\\/", with: "/")
            let hashes = json.matches(of: /\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$[^"]+/)
            #expect(hashes.count == 3 && Set(hashes.map { String($0.0) }).count == 3)
            #expect(hashes.allSatisfy { Int($0.1) == 65_536 && Int($0.2) == 2 })
            let hash = PasswordHash(text: String(hashes[0].0))
            #expect(hash.matches(Array(Family.password.utf8)) && !hash.matches(Array("wrong".utf8)))
            var status = stat()
            #expect(stat("\(folder)/host.json", &status) == 0 && status.st_mode & 0o077 == 0)
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name != "host.json"
            {
                guard let bytes = try? Data(contentsOf: URL(filePath: "\(folder)/\(name)")) else { continue }
                #expect(bytes.range(of: Data("argon2id".utf8)) == nil, "\(name)")
                #expect(bytes.range(of: Data(Family.password.utf8)) == nil, "\(name)")
            }
            // A new API key leaves them as they are.
            _ = try HostSecrets.regenerate(dataFolder: folder)
            #expect(try await family.signIn("anna", Family.password).status == 201)
        }
    }

    // MARK: - Roles

    @Test("Every described operation answers 403 to accounts below its role, and not to those that have it")
    func roles() async throws {
        try await withFamily { family in
            let groups: [any DescribedRoutes.Type] = [
                MetricsRoutes.self, RescanRoutes.self, UnavailableFolderRoutes.self, JobRoutes.self,
                LyricsRoutes.self, MetadataRoutes.self, BulkFixRoutes.self, ReplayGainRoutes.self,
                UploadRoutes.self, TrashRoutes.self, EditHistoryRoutes.self, AccountRoutes.self,
            ]
            var counts: [AccountRole: Int] = [:]
            for operation in groups.flatMap({ $0.operations }) {
                counts[operation.role, default: 0] += 1
                let path = operation.path.replacing(/:[a-z_]+/, with: "999999")
                for (name, role) in [("anna", AccountRole.listener), ("eddy", .editor)] {
                    // An empty object changes nothing: where it is allowed, it is refused for another reason.
                    let answer = try await family.ask(
                        operation.method, path, as: name, operation.method == .get ? nil : "{}")
                    #expect(
                        (answer.code == "role_required") == (role < operation.role),
                        "\(operation.route) by \(name): \(answer.status) \(answer.code ?? "")")
                }
            }
            let (editors, owners) = (try #require(counts[.editor]), try #require(counts[.owner]))
            #expect(editors >= 14 && owners >= 9)
        }
    }

    @Test("Owners manage accounts; that of the API key stays")
    func management() async throws {
        try await withFamily { family in
            let list = try await family.ask(.get, "/accounts", as: "olga")
            let names = (list.json["items"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
            #expect(names == ["owner", "anna", "eddy", "olga"])
            let made = try await family.ask(
                .post, "/accounts", as: "olga",
                #"{"name": "carl", "role": "editor", "email": "c@d", "password": "long enough"}"#)
            #expect(made.status == 201 && made.json["email"] as? String == "c@d")
            let id = try #require(made.json["id"] as? Int)
            #expect(try await family.signIn("carl", "long enough").status == 201)
            let changed = try await family.ask(
                .patch, "/accounts/\(id)", #"{"role": "listener", "email": null, "password": "even longer"}"#)
            #expect(changed.json["role"] as? String == "listener" && changed.json["email"] == nil)
            #expect(try await family.signIn("carl", "even longer").status == 201)
            for (method, path, json, code) in [
                (HTTPMethod.post, "/accounts", #"{"name": "CARL", "role": "editor"}"#, "account_name_taken"),
                (.post, "/accounts", #"{"name": " x", "role": "editor"}"#, "invalid_field"),
                (.post, "/accounts", #"{"name": "x", "role": "king"}"#, "invalid_field"),
                (
                    .post, "/accounts", #"{"name": "x", "role": "editor", "password": "short"}"#,
                    "invalid_field"
                ),
                (.post, "/accounts", #"{"name": "x", "role": "editor", "email": ""}"#, "invalid_field"),
                (.post, "/accounts", #"{"name": "x"}"#, "missing_field"),
                (.patch, "/accounts/1", #"{"role": "editor"}"#, "main_account"),
                (.patch, "/accounts/999", #"{"role": "editor"}"#, "no_such_account"),
                (.delete, "/accounts/1", nil, "main_account"),
                (.delete, "/accounts/999", nil, "no_such_account"),
            ] as [(HTTPMethod, String, String?, String)] {
                #expect(
                    try await family.ask(method, path, as: "olga", json).code == code, "\(path) \(json ?? "")"
                )
            }
            #expect(try await family.ask(.delete, "/accounts/\(id)").status == 204)
            #expect(try await family.signIn("carl", "even longer").status == 401)
        }
    }

    @Test("A changed role and a deleted account take effect with the next request, also for tokens")
    func immediately() async throws {
        try await withFamily { family in
            let eddy = try family.accounts.account(named: "eddy")
            #expect(try await family.ask(.get, "/trash", as: "eddy").status == 200)
            let track = try family.served.id("1.mp3")
            let made = try await family.ask(.post, "/auth/token?track_id=\(track)", as: "eddy")
            let token = try #require(made.json["token"] as? String)
            let stream = "/tracks/\(track)/stream.m3u8?token=\(token)"
            #expect(try await family.ask(.get, stream, as: "").status == 200)
            let tampered = stream.replacing(".", with: "!", maxReplacements: 2).replacing(
                "!m3u8", with: ".m3u8")
            #expect(try await family.ask(.get, tampered, as: "").status == 401)
            _ = try family.accounts.change(id: eddy.id, role: .listener)
            #expect(try await family.ask(.get, "/trash", as: "eddy").code == "role_required")
            try family.accounts.remove(id: eddy.id)
            #expect(try await family.ask(.get, "/auth", as: "eddy").code == "wrong_key")
            #expect(try await family.ask(.get, stream, as: "").code == "wrong_key")
            #expect(try family.accounts.appPasswords.list().allSatisfy { $0.account != "eddy" })
        }
    }

    @Test("WebSockets hear of their account's listening data only, and are closed with their credential")
    func webSockets() async throws {
        try await withFamily { family in
            let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            let script = folder.appending(path: "Clients/revoked_accounts.py")
            let eddy = try family.accounts.account(named: "eddy")
            let run = try await PythonClient.run(
                script.path(percentEncoded: false),
                [
                    "\(family.served.server.port)", family.served.secrets.apiKeyText,
                    try #require(family.keys["anna"]), try #require(family.keys["eddy"]), "\(eddy.id)",
                    "\(try family.served.id("1.mp3"))", "1.mp3",
                    "\(try WorkStore(family.served.data).latestCursor())",
                ])
            let told = try #require(
                try JSONSerialization.jsonObject(with: Data(run.text.utf8)) as? [String: Any])
            let expected = [1, 2, 3].map { ["welcome"] + Array(repeating: "listening_changed", count: $0) }
            // The library may change meanwhile, which everyone hears.
            let events = (told["events"] as? [[String]])?.map { $0.filter { $0 != "library_changed" } }
            #expect(events == expected, "\(run.text)")
            #expect(told["closed"] as? [Int] == Array(repeating: Int(AccessCloseCode.keyReplaced), count: 4))
            #expect(told["last"] as? String == "listening_changed")
            #expect(told["refused"] as? [Int] == [401, 401])
        }
    }

    // MARK: - Data

    @Test("Listening data at native routes is the account's own")
    func listening() async throws {
        try await withFamily { family in
            let id = try family.served.id("1.mp3")
            let mark = #"{"is_starred": true, "rating": 3}"#
            #expect(try await family.ask(.patch, "/listening/tracks/\(id)", as: "anna", mark).status == 200)
            let plays = """
                {"actions": [{"action": "play", "track_id": \(id), "at": 1700000000},
                {"action": "now_playing", "track_id": \(id), "client": "phone"}]}
                """
            #expect(try await family.ask(.post, "/listening/actions", as: "anna", plays).status == 200)
            for (name, total) in [("anna", 1), ("eddy", 0), ("olga", 0), (nil, 0)] as [(String?, Int)] {
                let lists = ["starred", "rated", "most_played", "recently_played"].map {
                    "/listening/tracks?list=\($0)"
                }
                for path in lists + ["/listening/history"] {
                    let answer = try await family.ask(.get, path, as: name)
                    #expect(answer.json["total"] as? Int == total, "\(path)")
                }
                let playing = try await family.ask(.get, "/listening/now-playing", as: name)
                #expect((playing.json["items"] as? [Any])?.count == total)
                let state = try await family.ask(.get, "/listening/tracks/\(id)", as: name)
                #expect(state.json["is_starred"] as? Bool == (total == 1))
                for path in ["/api/tracks?include=listening", "/api/tracks/\(id)?include=listening"] {
                    let answer = try await family.ask(.get, path, as: name)
                    let track =
                        (answer.json["items"] as? [[String: Any]])?.first { $0["id"] as? Int == id }
                        ?? answer.json
                    let listening = try #require(track["listening"] as? [String: Any])
                    #expect(listening["rating"] as? Int == (total == 1 ? 3 : nil))
                }
            }
            // A browser that changes the account must not keep the other's copy.
            for path in ["/listening/tracks?list=starred", "/listening/tracks/\(id)", "/api/playlists"] {
                let tag = try #require(try await family.ask(.get, path, as: "anna").tag)
                #expect(try await family.ask(.get, path, as: "anna", tag: tag).status == 304, "\(path)")
                #expect(try await family.ask(.get, path, as: "eddy", tag: tag).status == 200, "\(path)")
            }
            #expect(
                try await family.ask(.delete, "/listening/history", as: "eddy").json["deleted"] as? Int == 0)
            #expect(
                try await family.ask(.delete, "/listening/history", as: "anna").json["deleted"] as? Int == 1)
        }
    }

    @Test(
        "Playlists at native routes: private ones exist for their account only, also in streams and exports")
    func playlists() async throws {
        try await withFamily { family in
            let track = try family.served.id("1.mp3")
            let body = #"{"name": "Hers", "track_ids": [\#(track)]}"#
            let made = try await family.ask(.post, "/api/playlists", as: "anna", body)
            #expect(made.status == 201 && made.json["owner"] as? String == "anna")
            #expect(made.json["is_public"] as? Bool == false)
            let id = try #require(made.json["id"] as? Int)
            let paths: [(HTTPMethod, String, String?)] = [
                (.get, "/api/playlists/\(id)", nil), (.get, "/api/playlists/\(id)/export", nil),
                (.get, "/playlists/\(id)/stream.m3u8", nil), (.post, "/auth/token?playlist_id=\(id)", nil),
                (.patch, "/api/playlists/\(id)", #"{"name": "x"}"#),
                (.put, "/api/playlists/\(id)/tracks", #"{"track_ids": []}"#),
                (.post, "/api/playlists/\(id)/entries", #"{"track_ids": []}"#),
                (.delete, "/api/playlists/\(id)", nil),
            ]
            for (method, path, json) in paths {
                for name in ["eddy", "olga", nil] {
                    let answer = try await family.ask(method, path, as: name, json)
                    #expect(answer.status == 404 && answer.code == "no_such_playlist", "\(method) \(path)")
                }
            }
            let shown = try await family.ask(
                .patch, "/api/playlists/\(id)", as: "anna", #"{"is_public": true}"#)
            #expect(shown.json["is_public"] as? Bool == true)
            for (method, path, json) in paths {
                let answer = try await family.ask(method, path, as: "eddy", json)
                let isReading = json == nil && method != .delete
                #expect((answer.status < 300) == isReading, "\(method) \(path) \(answer.status)")
                #expect(isReading || answer.code == "not_owner", "\(method) \(path)")
            }
            #expect(try await family.ask(.get, "/api/playlists", as: "eddy").json["total"] as? Int == 1)
            #expect(
                try await family.ask(.patch, "/api/playlists/\(id)", as: "olga", #"{"name": "x"}"#).status
                    == 200)
            #expect(try await family.ask(.delete, "/api/playlists/\(id)").status == 204)
        }
    }

    @Test("The library's copy holds private playlists only as long as there is one account")
    func copies() async throws {
        let files = [
            (name: "1.mp3", bytes: try Encoders.lame(PCM.music(frameCount: 44_100, seed: 1), ["-b", "64"]))
        ]
        try await ServedLibrary.with(files) { served in
            _ = try served.library.makePlaylist(name: "Surprise party")
            func holdsIt() async throws -> Bool {
                let copy = try await served.get("/db").body
                #expect(copy.count > 10_000)
                return Data(copy).range(of: Data("Surprise party".utf8)) != nil
            }
            #expect(try await holdsIt())
            _ = try await aside { try Accounts(data: served.data).add(name: "anna", role: .listener) }
            #expect(try await !holdsIt())
        }
    }

    // MARK: - Shares and other services

    @Test("Shares open no private playlist of others, and end with their account, also by the command line")
    func shares() async throws {
        try await withFamily { family in
            let trackID = try family.served.id("1.mp3")
            let list = try await family.ask(
                .post, "/api/playlists", #"{"name": "List", "track_ids": [\#(trackID)]}"#)
            let listID = try #require(list.json["id"] as? Int)
            let shared = #"{"playlist_ids": [\#(listID)], "track_ids": [\#(trackID)]}"#
            let refused = try await family.ask(.post, "/shares", as: "anna", shared)
            #expect(refused.status == 404 && refused.code == "no_such_playlist")
            func publish(_ isPublic: Bool) async throws {
                let answer = try await family.ask(
                    .patch, "/api/playlists/\(listID)", #"{"is_public": \#(isPublic)}"#)
                #expect(answer.status == 200)
            }
            try await publish(true)
            let made = try await family.ask(.post, "/shares", as: "anna", shared)
            #expect(made.status == 201 && made.json["user"] as? String == "anna")
            let path = try #require(made.json["path"] as? String)
            let shareID = try #require(made.json["id"] as? Int)
            func trackCount() async throws -> Int? {
                let answer = try await family.ask(.get, "\(path)/contents", as: "")
                return answer.status == 200 ? (answer.json["tracks"] as? [Any])?.count : nil
            }
            #expect(try await trackCount() == 2)
            try await publish(false)
            #expect(try await trackCount() == 1)

            for name in ["eddy", "olga", nil] {
                let all = try await family.ask(.get, "/shares", as: name)
                #expect((all.json["items"] as? [Any])?.isEmpty == true)
                #expect(try await family.ask(.delete, "/shares/\(shareID)", as: name).status == 404)
                let change = try await family.ask(
                    .patch, "/shares/\(shareID)", as: name, #"{"description": "x"}"#)
                #expect(change.status == 404)
            }
            #expect(try await trackCount() == 1)
            try await aside {
                let accounts = try Accounts(data: family.served.data)
                try accounts.remove(id: try accounts.account(named: "anna").id)
            }
            #expect(try await trackCount() == nil)
        }
    }

    @Test("Plays are forwarded to the services of the account that played, and access to these ends with it")
    func forwarding() async throws {
        let server = try FakeScrobbleServer()
        try await withFamily { family in
            let trackID = try family.served.id("1.mp3")
            let access = #"{"token": "\#(FakeScrobbleServer.token)", "address": "\#(server.listenBrainz)"}"#
            #expect(try await family.ask(.put, Routes.listenBrainz, as: "anna", access).status == 200)
            func state(_ name: String?) async throws -> [String: Any] {
                let answer = try await family.ask(.get, Routes.scrobbling, as: name)
                return answer.json["listenbrainz"] as? [String: Any] ?? [:]
            }
            #expect(try await state("anna")["state"] as? String == "connected")
            #expect(try await state(nil)["state"] as? String == "disconnected")
            func play(_ name: String?, at time: Int) async throws {
                let action = #"{"action": "play", "track_id": \#(trackID), "at": \#(time)}"#
                let answer = try await family.ask(
                    .post, Routes.listeningActions, as: name, #"{"actions": [\#(action)]}"#)
                #expect(answer.status == 200)
            }
            try await play(nil, at: 1_700_000_000)
            try await play("eddy", at: 1_700_000_100)
            try await play("anna", at: 1_700_000_200)
            try await until { try await state("anna")["sent_count"] as? Int == 1 }
            let times = try server.contents().filter { $0["listen_type"] as? String != "playing_now" }
                .flatMap { $0["payload"] as? [[String: Any]] ?? [] }.compactMap { $0["listened_at"] as? Int }
            #expect(times == [1_700_000_200])

            try server.behave(.down)
            try await play("anna", at: 1_700_000_300)
            let data = family.served.data
            let id = try family.accounts.account(named: "anna").id
            let connection = ScrobbleQueue.Connection(accountID: id, service: "listenbrainz")
            try await aside {
                let accounts = try Accounts(data: data)
                #expect(try accounts.scrobbling.queue.record(of: connection).waitingCount == 1)
                #expect(try accounts.scrobbling.file.read().map(\.accountID) == [id])
                try accounts.remove(id: id)
                #expect(try accounts.scrobbling.queue.record(of: connection).waitingCount == 0)
                #expect(try accounts.scrobbling.file.read().isEmpty)
            }
            // Another account's connection does not write the removed one back.
            try server.behave(.ok)
            #expect(try await family.ask(.put, Routes.listenBrainz, as: "eddy", access).status == 200)
            let kept = try await aside { try ScrobblingStore(data).file.read().map(\.accountID) }
            #expect(try kept == [family.accounts.account(named: "eddy").id])
        }
    }
}
