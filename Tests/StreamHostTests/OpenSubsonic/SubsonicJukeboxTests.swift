import Foundation
import Jukebox
import LibraryStore
import MusicShared
import Testing
import TestSupport
@testable import HostAccounts

@testable import StreamHost

/// OpenSubsonic's jukeboxControl over HTTP.
@Suite("OpenSubsonic jukebox", .timeLimit(.minutes(30)))
struct SubsonicJukeboxTests {
    private static func call(
        _ served: ServedLibrary, _ password: String, _ query: String, endpoint: String = "jukeboxControl"
    ) async throws -> [String: Any] {
        let answer = try await served.get(
            "/rest/\(endpoint)?apiKey=\(password)&v=1.16.1&c=test&f=json&\(query)", key: "")
        let value = try answer.json("subsonic-response")
        return try #require(value as? [String: Any])
    }

    private static func status(
        _ served: ServedLibrary, _ password: String, _ query: String
    ) async throws -> [String: Any] {
        let answer = try await call(served, password, query)
        return try #require(answer["jukeboxStatus"] as? [String: Any], "\(query): \(answer)")
    }

    @Test("All actions do what the specification says")
    func actions() async throws {
        let files = try await aside {
            try (1...3).map { number in
                (
                    name: "\(number).mp3",
                    bytes: try Encoders.lame(
                        PCM.music(frameCount: 20 * 44_100, seed: UInt64(number)), ["-b", "64"])
                )
            }
        }
        try await ServedLibrary.with(
            files, settings: { $0.jukebox = JukeboxSettings(output: .null) }
        ) { served in
            let password = try AppPasswords(dataFolder: served.data.path).add(account: "owner", name: "app")
            let ids = try (1...3).map { "tr-\(try served.id("\($0).mp3"))" }
            func act(_ query: String) async throws -> [String: Any] {
                try await Self.status(served, password, "action=\(query)")
            }
            func songs() async throws -> [String] {
                let answer = try await Self.call(served, password, "action=get")
                let list = try #require(answer["jukeboxPlaylist"] as? [String: Any])
                return (list["entry"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
            }
            var now = try await act("status")
            #expect(now["currentIndex"] as? Int == -1 && now["playing"] as? Bool == false)
            now = try await act("set&id=\(ids[0])&id=\(ids[1])")
            #expect(now["currentIndex"] as? Int == 0 && now["playing"] as? Bool == false)
            now = try await act("add&id=\(ids[2])")
            #expect(try await songs() == ids)
            now = try await act("setGain&gain=0.25")
            #expect(now["gain"] as? Double == 0.25)
            now = try await act("start")
            #expect(now["playing"] as? Bool == true)
            now = try await act("skip&index=1&offset=5")
            #expect(now["currentIndex"] as? Int == 1 && now["playing"] as? Bool == true)
            // Less the sound before it that the output still holds, rounded down.
            #expect((now["position"] as? Int ?? 0) >= 4)
            now = try await act("stop")
            #expect(now["playing"] as? Bool == false)
            // The current song is one of the new ones, and continues where it was.
            let current = try #require(now["currentIndex"] as? Int)
            let position = try #require(now["position"] as? Int)
            now = try await act("set&id=\(ids[current])&id=\(ids[0])")
            // Sound in the output counts as not heard until it has been, also after a pause.
            #expect(now["currentIndex"] as? Int == 0 && now["playing"] as? Bool == false)
            #expect(abs((now["position"] as? Int ?? 0) - position) <= 1)
            now = try await act("remove&index=1")
            #expect(try await songs() == [ids[current]])
            now = try await act("shuffle")
            #expect(try await songs() == [ids[current]])
            now = try await act("clear")
            #expect(try await songs() == [] && now["currentIndex"] as? Int == -1)
        }
    }

    @Test("Wrong parameters and missing rights are errors of the protocol; getUser shows the right")
    func errors() async throws {
        let song = try await aside { try Encoders.lame(PCM.music(frameCount: 44_100), ["-b", "64"]) }
        let settings: @Sendable (inout StreamHost.Host.Settings) -> Void = {
            var jukebox = JukeboxSettings(output: .null)
            jukebox.role = .owner
            $0.jukebox = jukebox
        }
        try await ServedLibrary.with([("1.mp3", song)], settings: settings) { served in
            let accounts = try Accounts(data: served.data)
            _ = try accounts.add(name: "anna", role: .editor)
            let ours = try accounts.appPasswords.add(account: "owner", name: "app")
            let theirs = try accounts.appPasswords.add(account: "anna", name: "app")
            func code(_ query: String, _ password: String) async throws -> Int? {
                let answer = try await Self.call(served, password, query)
                return (answer["error"] as? [String: Any])?["code"] as? Int
            }
            for (query, expected) in [
                ("", 10), ("action=dance", 0), ("action=skip", 10), ("action=skip&index=9", 0),
                ("action=remove&index=0", 0), ("action=setGain", 10), ("action=setGain&gain=2", 0),
                ("action=add", 10), ("action=add&id=tr-999999", 70), ("action=set&id=al-1", 70),
            ] {
                #expect(try await code(query, ours) == expected, "\(query)")
            }
            #expect(try await code("action=status", theirs) == 50)
            for (name, password, isAllowed) in [("owner", ours, true), ("anna", theirs, false)] {
                let answer = try await Self.call(served, password, "username=\(name)", endpoint: "getUser")
                let user = try #require(answer["user"] as? [String: Any])
                #expect(user["jukeboxRole"] as? Bool == isAllowed)
            }
        }
    }
}
