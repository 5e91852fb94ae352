import Companion
import Foundation
import HTTPServer
import LibraryStore
import MusicShared
import Testing
import TestSupport
@testable import HostAccounts

@testable import StreamHost

/// Forwarding from a host's clients to a server that checks each request.
@Suite("Forwarding of plays", .timeLimit(.minutes(30)))
struct ScrobblingRouteTests {
    private func state(_ served: ServedLibrary) async throws -> ScrobblingReport {
        let answer = try await served.get(Routes.scrobbling)
        #expect(answer.status == 200 && answer.field("Cache-Control") == "no-store")
        for secret in [
            FakeScrobbleServer.token, FakeScrobbleServer.apiKey, FakeScrobbleServer.secret,
            FakeScrobbleServer.session,
        ] {
            // The page where the user allows the access names the application's key, as Last.fm specifies.
            #expect(!answer.text.replacing("api_key=app-key", with: "").contains(secret), "\(secret)")
        }
        return try JSONDecoder().decode(ScrobblingReport.self, from: Data(answer.body))
    }

    private func connectBrainz(_ served: ServedLibrary, _ server: FakeScrobbleServer) async throws {
        let answer = try await served.send(
            "PUT", Routes.listenBrainz,
            ["token": FakeScrobbleServer.token, "address": server.listenBrainz + "/"])
        #expect(answer.status == 200, "\(answer.text)")
    }

    /// A library with one song of 62 s that has a recording's identifier.
    private static func files() throws -> [(name: String, bytes: [UInt8])] {
        let tags = [
            "TSRC=USSM18300073", "TXXX=MUSICBRAINZ_TRACKID=\(SubsonicLibrary.recordingID)",
        ].flatMap { ["--tv", $0] }
        return [
            (
                "long.mp3",
                try Encoders.lame(
                    PCM.music(frameCount: 62 * 44_100, seed: 1),
                    [
                        "-b", "64", "--id3v2-only", "--tt", "Long", "--ta", "Artist", "--tl", "Album", "--tn",
                        "3",
                    ]
                        + tags)
            ),
            ("untitled.mp3", try Encoders.lame(PCM.music(frameCount: 40 * 44_100, seed: 2), ["-b", "64"])),
        ]
    }

    @Test("Plays of the API, of scrobbles and of playback reports are forwarded, each once")
    func sources() async throws {
        let server = try FakeScrobbleServer()
        try await ServedLibrary.with(try Self.files()) { served in
            try await connectBrainz(served, server)
            let (id, untitled) = (try served.id("long.mp3"), try served.id("untitled.mp3"))
            let password = try AppPasswords(dataFolder: served.data.path).add(account: "owner", name: "t")
            func rest(_ path: String) async throws {
                let answer = try await served.get(
                    "/rest/\(path)&f=json&v=1.16.1&c=app&u=owner&p=\(password)", key: "")
                #expect(answer.text.contains("\"status\":\"ok\""), "\(answer.text)")
            }
            func play(_ fields: [String: Any]) async throws {
                let answer = try await served.send(
                    "POST", Routes.listeningActions, ["actions": [["action": "play"].merging(fields) { $1 }]])
                #expect(answer.status == 200, "\(answer.text)")
            }
            try await play(["track_id": id, "at": 1_700_000_000, "seconds_played": 31, "action_id": "a"])
            // The same action again, too little of a track, and one without a title.
            try await play(["track_id": id, "at": 1_700_000_000, "seconds_played": 31, "action_id": "a"])
            try await play(["track_id": id, "at": 1_700_000_100, "seconds_played": 20])
            try await play(["track_id": untitled, "at": 1_700_000_200])
            try await rest("scrobble?id=tr-\(id)&time=1700001000000")
            try await rest("scrobble?id=tr-\(id)&submission=false")
            // A report at 40 times the speed: half of the track passes within a second.
            try await rest(
                "reportPlayback?mediaId=tr-\(id)&mediaType=song&positionMs=0&state=playing&playbackRate=40")
            try await Task.sleep(for: .seconds(1))
            try await rest("reportPlayback?mediaId=tr-\(id)&mediaType=song&positionMs=50000&state=stopped")
            try await until { try await state(served).listenbrainz.sentCount == 3 }
            let report = try await state(served).listenbrainz
            #expect(report.state == .connected && report.user == "listener" && report.waitingCount == 0)
            #expect(report.address == server.listenBrainz && report.error == nil)

            let listens = try server.contents().filter { $0["listen_type"] as? String != "playing_now" }
                .flatMap { $0["payload"] as? [[String: Any]] ?? [] }
            #expect(listens.count == 3)
            let times = listens.compactMap { $0["listened_at"] as? Int }
            #expect(times.prefix(2) == [1_700_000_000, 1_700_001_000])
            #expect(abs(Double(times[2]) - Date().timeIntervalSince1970) < 60)
            let info = (listens[0]["track_metadata"] as? [String: Any])?["additional_info"] as? [String: Any]
            #expect(info?["recording_mbid"] as? String == SubsonicLibrary.recordingID)
            #expect(info?["isrc"] as? String == "USSM18300073" && info?["tracknumber"] as? Int == 3)
            #expect(abs((info?["duration_ms"] as? Int ?? 0) - 62_000) <= 1)
            let diary = try server.diary()
            #expect(diary.allSatisfy { $0.wrong == [] && $0.repeated == 0 })
            #expect(diary.contains { $0.method == "playing_now" })
        }
    }

    @Test("Plays wait through an outage and a restart of the host, and are then sent")
    func restart() async throws {
        let server = try FakeScrobbleServer()
        try await ServedLibrary.with(try Self.files()) { served in
            try await connectBrainz(served, server)
            try server.behave(.down)
            let id = try served.id("long.mp3")
            let actions = (0..<120).map {
                ["action": "play", "track_id": id, "at": 1_700_000_000 + $0 * 100] as [String: Any]
            }
            #expect(
                try await served.send("POST", Routes.listeningActions, ["actions": actions]).status == 200)
            let waiting = try await until {
                let report = try await state(served).listenbrainz
                return report.error == nil ? nil : report
            }
            #expect(waiting.waitingCount == 120 && waiting.state == .connected && waiting.sentCount == 0)
            await served.shutdown()
            try server.behave(.ok)
            // A new program on the same data folder.
            let forwarder = try PlayForwarder(
                scrobbling: try ScrobblingStore(served.data), library: served.library,
                version: "stream-host 1", report: { _ in })
            try await until { try forwarder.state(of: Account.mainID).listenbrainz.waitingCount == 0 }
            let sent = try server.contents().filter { $0["listen_type"] as? String == "import" }
                .flatMap { $0["payload"] as? [[String: Any]] ?? [] }.compactMap { $0["listened_at"] as? Int }
            #expect(Set(sent) == Set((0..<120).map { 1_700_000_000 + $0 * 100 }))
            #expect(try forwarder.state(of: Account.mainID).listenbrainz.sentCount == 120)
            #expect(try forwarder.state(of: 2).listenbrainz.state == .disconnected)
            forwarder.stop()
        }
    }

    @Test("Last.fm is connected with the user's permission, and its secrets are stored encrypted")
    func lastFM() async throws {
        let server = try FakeScrobbleServer(.unallowed)
        try await ServedLibrary.with(try Self.files()) { served in
            let early = try await served.send("POST", Routes.lastFMSession, [String: String]())
            #expect(early.status == 409 && early.errorCode == "not_authorizing")
            let access = [
                "api_key": FakeScrobbleServer.apiKey, "shared_secret": FakeScrobbleServer.secret,
                "address": server.lastFM,
            ]
            let begun = try await served.send("PUT", Routes.lastFM, access)
            #expect(begun.status == 200)
            #expect(try begun.json("state") as? String == "authorizing")
            #expect(
                try begun.json("authorization_url") as? String
                    == "https://www.last.fm/api/auth/?api_key=app-key&token=request-token")
            let refused = try await served.get(Routes.lastFMSession, ["-X", "POST"])
            #expect(refused.status == 409 && refused.errorCode == "not_authorized")
            try server.behave(.ok)
            #expect(try await served.get(Routes.lastFMSession, ["-X", "POST"]).status == 200)
            #expect(try await state(served).lastfm.state == .connected)

            let id = try served.id("long.mp3")
            _ = try await served.send(
                "POST", Routes.listeningActions,
                ["actions": [["action": "play", "track_id": id, "at": 1_700_000_000]]])
            try await until { try await state(served).lastfm.sentCount == 1 }
            #expect(try server.diary().allSatisfy { $0.wrong == [] })

            let path = "\(served.data.path)/scrobbling.json"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            for secret in [FakeScrobbleServer.apiKey, FakeScrobbleServer.secret, FakeScrobbleServer.session] {
                #expect(!text.contains(secret))
            }
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode & 0o077 == 0)

            #expect(try await served.get(Routes.lastFM, ["-X", "DELETE"]).status == 204)
            #expect(try await state(served).lastfm.state == .disconnected)
            #expect(
                try await served.get(Routes.lastFMSession, ["-X", "POST"]).errorCode == "not_authorizing")
        }
    }

    @Test("A refused access is shown, and plays wait until the service is connected again")
    func refused() async throws {
        let server = try FakeScrobbleServer()
        try await ServedLibrary.with(try Self.files()) { served in
            try await connectBrainz(served, server)
            try server.behave(.refuse)
            let id = try served.id("long.mp3")
            _ = try await served.send(
                "POST", Routes.listeningActions,
                ["actions": [["action": "play", "track_id": id, "at": 1_700_000_000]]])
            try await until { try await state(served).listenbrainz.state == .refused }
            let report = try await state(served).listenbrainz
            #expect(report.waitingCount == 1 && report.error?.contains("connect again") == true)
            try server.behave(.ok)
            try await connectBrainz(served, server)
            try await until { try await state(served).listenbrainz.sentCount == 1 }
        }
    }

    @Test("A wrong token, address or server is rejected, and nothing is stored")
    func rejected() async throws {
        let server = try FakeScrobbleServer()
        try await ServedLibrary.with(try Self.files()) { served in
            let bad = ["ftp://host/", "http://user@host/", "http://host/?a=b", "host"]
            let cases: [([String: String], String)] =
                [
                    (["token": "wrong", "address": server.listenBrainz], "422 access_refused"),
                    (["token": "t", "address": "http://127.0.0.1:9"], "502 service_failed"),
                    (["token": "a\r\nb"], "422 invalid_field"), ([:], "400 missing_field"),
                ] + bad.map { (["token": "t", "address": $0], "422 invalid_field") }
            for (content, expected) in cases {
                let answer = try await served.send("PUT", Routes.listenBrainz, content)
                #expect("\(answer.status) \(answer.errorCode ?? "")" == expected, "\(content)")
            }
            #expect(try await state(served).listenbrainz.state == .disconnected)
            #expect(!FileManager.default.fileExists(atPath: "\(served.data.path)/scrobbling.json"))
        }
    }
}
