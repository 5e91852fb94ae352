import Foundation
import HTTPServer
import TestSupport
import Testing

/// Stored data belongs to one library: another library has other tracks under the same ids.
@Suite("The page's stored data", .serialized, .onlyInChromium, .timeLimit(.minutes(30)))
struct KeptDataTests {
    /// Three songs of an album, with different audio.
    private static func files(_ name: String, seed: UInt64) throws -> [(name: String, bytes: [UInt8])] {
        try (1...3).map { number in
            let pcm = PCM.music(frameCount: 6 * 44_100, seed: seed + UInt64(number))
            let tags = [
                "--tt", "\(name) \(number)", "--ta", name, "--tl", "\(name) album", "--tn", "\(number)",
            ]
            return ("\(number).mp3", try Encoders.lame(pcm, ["-b", "96"] + tags))
        }
    }

    private static func run(
        _ played: PlayedLibrary, at page: String, _ body: (WebBrowser, PageChecks) async throws -> Void
    ) async throws {
        do {
            try await WebBrowser.with(open: page, errors: .any) { browser in
                try await body(browser, try PageChecks("kept-checks.js"))
            }
        } catch {
            await played.server.shutdown(withinSeconds: 2)
            throw error
        }
        await played.server.shutdown(withinSeconds: 2)
    }

    @Test("Data of one library is not shown, played or sent to another library at the same address")
    func otherLibrary() async throws {
        let first = try await aside { try PlayedLibrary(try Self.files("Old", seed: 10)) }
        do {
            try await WebBrowser.with(open: "\(first.base)/", errors: .any) { browser in
                let checks = try PageChecks("kept-checks.js")
                let kept = try await checks.run("keep", in: browser, key: first.key)
                #expect(kept["downloads"] as? Int == 3)
                #expect(kept["queued"] as? Int == 3)
                #expect(kept["waiting"] as? Int == 1)
                await first.server.shutdown(withinSeconds: 2)
                let port = first.server.port
                let second = try await aside {
                    try PlayedLibrary(try Self.files("New", seed: 50), port: port)
                }
                try await browser.open("\(second.base)/")
                // The page reloads when it detects another library.
                _ = try await checks.run("enterOther", in: browser, key: second.key)
                let mark = "return {isNew: !window.isOld && document.querySelector('.shell') !== null};"
                try await until { (try? await browser.run(mark))?["isNew"] as? Bool == true }
                let told = try await checks.run("other", in: browser, key: second.key)
                #expect(told["ids"] as? [Int] == kept["ids"] as? [Int])
                #expect(told["songs"] as? [String] == ["New 1", "New 2", "New 3"])
                #expect(told["marked"] as? Int == 0)
                #expect(told["hasTrack"] as? Bool == false)
                #expect(told["heard"] as? String == "New 1")
                #expect(told["asked"] as? Int ?? 0 > 0)
                #expect(told["starred"] as? [String] == [])
                #expect((told["orphans"] as? String ?? "").contains("3 songs"))
                let forgotten = try await checks.run("forget", in: browser, key: second.key)
                #expect(forgotten["storage"] as? [String] == [])
                #expect(forgotten["records"] as? Int == 0)
                let again = try await checks.run("again", in: browser, key: second.key)
                #expect(again["made"] as? Int == 1)
                await second.server.shutdown(withinSeconds: 2)
            }
        } catch {
            await first.server.shutdown(withinSeconds: 2)
            throw error
        }
    }

    @Test(
        "Downloads of earlier releases are adopted if they belong to this library, and removed otherwise"
    )
    func migration() async throws {
        let played = try await aside { try PlayedLibrary(try Self.files("Song", seed: 20)) }
        try await Self.run(played, at: "\(played.base)/player/scripts/main.js") { browser, checks in
            _ = try await checks.run("earlierRelease", in: browser, key: played.key)
            try await browser.open("\(played.base)/")
            let told = try await checks.run("migrated", in: browser, key: played.key)
            #expect(told["songs"] as? [String] == ["Song 1"])
            #expect(told["asked"] as? Int == 0)
            #expect(told["records"] as? Int == 0)
        }
    }

    @Test(
        "Queued downloads continue after a reload, and downloading all songs asks for confirmation with their number and size"
    )
    func downloadQueue() async throws {
        let played = try await aside { try PlayedLibrary(try Self.files("Song", seed: 30)) }
        let proxy = try FaultProxy(before: Int(played.server.port))
        defer { proxy.quit() }
        let base = "http://127.0.0.1:\(proxy.port)"
        try await Self.run(played, at: "\(base)/") { browser, checks in
            let asked = try await checks.run("downloadAll", in: browser, key: played.key)
            let bytes = try Self.files("Song", seed: 30).reduce(0) { $0 + $1.bytes.count }
            let size = "\(Int((Double(bytes) / 1000).rounded())) kB"
            #expect((asked["said"] as? String ?? "").contains("3 songs"))
            #expect((asked["said"] as? String ?? "").contains(size))
            #expect(asked["before"] as? Int == 0)
            #expect(asked["waiting"] as? Int == 3)
            try await browser.reload()
            let told = try await checks.run("downloadsGoOn", in: browser, key: played.key)
            #expect(told["downloads"] as? Int == 3)
        }
    }

    @Test(
        "A database that does not open, or does not answer, is done without",
        arguments: [
            """
            const open = indexedDB.open.bind(indexedDB);
            indexedDB.open = (name, version) => (name === 'library' ? {} : open(name, version));
            """,
            """
            const transaction = IDBDatabase.prototype.transaction;
            IDBDatabase.prototype.transaction = function (...details) {
                const made = transaction.apply(this, details);
                if (this.name === 'library') made.objectStore = () => new Proxy({}, { get: () => () => ({}) });
                return made;
            };
            """,
        ])
    func stuckDatabase(script: String) async throws {
        let played = try await aside { try PlayedLibrary(try Self.files("Song", seed: 50)) }
        try await Self.run(played, at: "\(played.base)/player/scripts/main.js") { browser, checks in
            try await browser.devtools("Page.addScriptToEvaluateOnNewDocument", ["source": script])
            try await browser.open("\(played.base)/")
            let told = try await checks.run("songs", in: browser, key: played.key)
            #expect((told["songs"] as? [String])?.sorted() == ["Song 1", "Song 2", "Song 3"])
        }
    }

    @Test("Playing in one tab pauses the other, and volume and speed are saved once per change")
    func twoTabs() async throws {
        let played = try await aside { try PlayedLibrary(try Self.files("Song", seed: 40)) }
        try await Self.run(played, at: "\(played.base)/") { browser, checks in
            let told = try await checks.run("twoTabs", in: browser, key: played.key)
            #expect(told["first"] as? String == "Play")
            #expect(told["second"] as? String == "Pause")
            #expect(told["back"] as? String == "Pause")
            #expect(told["held"] as? String == "Play")
            #expect(told["volumeWrites"] as? Int == 1)
            #expect(told["speedWrites"] as? Int == 1)
        }
    }
}
