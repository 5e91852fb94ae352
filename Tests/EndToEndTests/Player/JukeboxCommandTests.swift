import Foundation
import TestSupport
import Testing

/// `stream-player jukebox` with a real host.
@Suite("Jukebox command", .timeLimit(.minutes(30)))
struct JukeboxCommandTests {
    /// A host with an album of four tracks, and what the player knows of it.
    private struct Client {
        let directory: TemporaryDirectory
        let host: RunningProgram
        let base: String

        init(_ options: [String]) throws {
            directory = try PlayerTests.album().directory
            let key: String
            (host, base, key) = try PlayerTests.host(directory, options)
            try directory.write("\(key)\n".utf8, as: "key")
            try ProcessRun.run(
                PlayerTests.program,
                [
                    "connect", base, "--key-file", directory.file("key"), "--folder",
                    directory.file("client"),
                ])
        }

        func jukebox(_ words: String...) throws -> ProcessRun {
            try ProcessRun.run(
                PlayerTests.program, ["jukebox"] + words + ["--folder", directory.file("client")],
                mustSucceed: false)
        }

        func state() throws -> [String: Any] {
            let run = try jukebox("--json")
            return try #require(JSONSerialization.jsonObject(with: run.output) as? [String: Any])
        }
    }

    @Test("The jukebox of a host plays, is skipped, sought, paused and set from the terminal")
    func controls() throws {
        let client = try Client(["--jukebox", "null"])
        defer { withExtendedLifetime(client) {} }
        #expect(try client.jukebox().text.contains("the queue is empty"))
        let empty = try client.jukebox("next")
        #expect(empty.status == 1 && empty.errorText.contains("queue is empty"))

        let played = try client.jukebox("play", "album:1")
        #expect(played.status == 0, "\(played.errorText)")
        #expect(played.text.contains("playing  1 of 4"), "\(played.text)")
        #expect(played.text.contains("volume 100 %  ·  null"), "\(played.text)")
        #expect(try client.jukebox("pause").text.contains("paused  1 of 4"))
        let next = try client.jukebox("next").text
        #expect(next.contains("2 of 4") && next.contains("Track 2"), "\(next)")
        #expect(try client.jukebox("seek", "5").text.contains("0:05"))
        #expect(try client.jukebox("volume", "35").text.contains("volume 35 %"))
        #expect(try client.jukebox("previous").text.contains("1 of 4"))
        #expect(try client.jukebox("previous").text.contains("1 of 4"))
        #expect(try client.jukebox("add", "track:1").text.contains("1 of 5"))
        let before = try client.state()
        let ids = try #require(before["track_ids"] as? [Int])
        #expect(before["is_playing"] as? Bool == false && before["volume"] as? Double == 0.35)
        #expect(ids.count == 5 && ids.last == 1)
        _ = try client.jukebox("shuffle")
        let after = try client.state()
        #expect((after["track_ids"] as? [Int])?.sorted() == ids.sorted() && after["index"] as? Int == 0)

        #expect(try client.jukebox("clear").text.contains("the queue is empty"))
    }

    @Test("A jukebox with an ALSA device plays its queue to the end")
    func alsa() throws {
        // ALSA's null device, which takes sound as fast as it comes; "null" alone would be the jukebox's own output.
        let client = try Client(["--jukebox", "plug:null"])
        defer { withExtendedLifetime(client) {} }
        let played = try client.jukebox("play", "album:1")
        #expect(played.status == 0 && played.text.contains("plug:null"), "\(played.text) \(played.errorText)")
        #expect(try client.host.waits(120) { try client.state()["is_playing"] as? Bool == false })
        #expect(try client.state()["problem"] == nil)
    }

    @Test("An account without the role may not control it; the error names the role")
    func role() throws {
        let client = try Client(["--jukebox", "null", "--jukebox-role", "owner"])
        defer { withExtendedLifetime(client) {} }
        try ProcessRun.run(
            BuiltProgram.path("stream-host"),
            ["account", "add", "anna", "--data", client.directory.file("data")], input: "correct horse\n")
        try ProcessRun.run(
            PlayerTests.program,
            ["connect", client.base, "--user", "anna", "--folder", client.directory.file("client")],
            input: "correct horse\n")
        let refused = try client.jukebox("play")
        #expect(refused.status == 2 && refused.errorText.contains("role"), "\(refused.errorText)")
    }

    @Test("What cannot be done is said")
    func errors() throws {
        let client = try Client([])
        defer { withExtendedLifetime(client) {} }
        let none = try client.jukebox("play")
        #expect(none.status == 2 && none.errorText.contains("no jukebox"), "\(none.errorText)")
        for (words, message) in [
            (["dance"], "unknown action 'dance'"), (["pause", "1"], "takes no arguments"),
            (["volume"], "takes a volume"), (["volume", "101"], "from 0.0 to 100.0"),
            (["seek", "x"], "must be a number"), (["add"], "takes track:ID"),
            (["add", "song:1"], "not a track:ID"),
        ] {
            let run = try ProcessRun.run(
                PlayerTests.program, ["jukebox"] + words + ["--folder", client.directory.file("client")],
                mustSucceed: false)
            #expect(run.status == 2 && run.errorText.contains(message), "\(words): \(run.errorText)")
        }
    }
}

extension ProcessRun {
    fileprivate var errorText: String { String(decoding: errors, as: UTF8.self) }
}
