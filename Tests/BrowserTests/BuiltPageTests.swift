import Foundation
import TestSupport
import Testing

/// The page as it is installed: one script, one style sheet and one worker, under names that browsers keep for good.
@Suite("Built page", .serialized, .onlyInChromium, .timeLimit(.minutes(30)))
struct BuiltPageTests {
    private static func files() throws -> [(name: String, bytes: [UInt8])] {
        let pcm = PCM.music(frameCount: 60 * 44_100, seed: 9)
        return try (1...2).map { number in
            (
                "\(number).mp3",
                try Encoders.lame(
                    pcm, ["-b", "96", "--tt", "Song \(number)", "--ta", "Artist", "--tl", "Album \(number)"])
            )
        }
    }

    private static func with(_ body: (PlayedLibrary) async throws -> Void) async throws {
        let directory = try TemporaryDirectory()
        let site = try await PlayedLibrary.builtSite(in: directory)
        let files = try await aside { try Self.files() }
        try await PlayedLibrary.with(files, site: site, body)
    }

    /// Returns the number of requests that the host has answered, by route, except those of this function.
    private static func requests(of played: PlayedLibrary) async throws -> [String: Int] {
        let text = try await ProcessRun.aside(
            "curl", ["-sSf", "-H", "Authorization: Bearer \(played.key)", "\(played.base)/metrics"]
        ).text
        var counts: [String: Int] = [:]
        for match in text.matches(of: /(?m)^http_requests_total\{route="([^"]*)"[^}]*\} (\d+)/)
        where match.1 != "/metrics" {
            counts[String(match.1), default: 0] += Int(match.2) ?? 0
        }
        return counts
    }

    /// Waits until the page has read everything, and returns what the host has been asked since `before`.
    private static func settled(
        _ played: PlayedLibrary, since before: [String: Int]
    ) async throws -> [String: Int] {
        // The last things that the page reads, at the same time.
        let awaited = ["/api/playlists": 1, "/listening/tracks": 1, "/api/changes": 1]
        var last: [String: Int] = [:]
        var quiet = 0
        // Nothing reports that there are no more requests: those of the covers follow at once.
        while quiet < 10 || awaited.contains(where: { last[$0.key, default: 0] < $0.value }) {
            try await Task.sleep(for: .milliseconds(100))
            let now = try await requests(of: played).map { route, count in
                (route, count - before[route, default: 0])
            }
            let changed = Dictionary(uniqueKeysWithValues: now.filter { $0.1 > 0 })
            quiet = changed == last ? quiet + 1 : 0
            last = changed
        }
        return last
    }

    @Test(
        "It plays, and opening it again takes at most twelve requests, with and without a service worker",
        arguments: [true, false])
    func requests(hasWorker: Bool) async throws {
        try await Self.with { played in
            try await WebBrowser.with(open: "\(played.base)/health", errors: .containing(["favicon"])) {
                browser in
                if !hasWorker {
                    try await browser.devtools(
                        "Page.addScriptToEvaluateOnNewDocument",
                        ["source": "delete Navigator.prototype.serviceWorker;"])
                }
                let checks = try PageChecks("release-checks.js")
                let start = try await Self.requests(of: played)
                try await browser.open("\(played.base)/")
                let heard = try await checks.run(
                    "play", in: browser, key: played.key, hasWorker ? ["worker"] : [])
                #expect(heard["peak"] as? Double ?? 0 > 0.01)
                let cold = try await Self.settled(played, since: start)
                // The page, its script, style sheet, manifest and icon; the worker reads the list of files, and each of them.
                let own = cold["/", default: 0] + cold["/player/**", default: 0]
                #expect(own <= (hasWorker ? 25 : 8), "\(cold)")

                let before = try await Self.requests(of: played)
                try await browser.open("\(played.base)/?again")
                let warm = try await Self.settled(played, since: before)
                #expect(warm.values.reduce(0, +) <= 12, "\(warm)")
                #expect(warm["/", default: 0] + warm["/player/**", default: 0] <= 1, "\(warm)")
            }
        }
    }

    @Test("Files with a hash in their name may be kept for good, the others are revalidated")
    func caching() async throws {
        try await Self.with { played in
            func field(_ path: String) async throws -> String? {
                let head = try await ProcessRun.aside("curl", ["-sSf", "-I", "\(played.base)\(path)"]).text
                return head.firstMatch(of: /(?i)cache-control: ([^\r\n]*)/).map { String($0.1) }
            }
            for page in ["/", "/player/share/index.html"] {
                let text = try await ProcessRun.aside("curl", ["-sSf", "\(played.base)\(page)"]).text
                let named = text.matches(of: /"(\/player\/[^"]*)"/).map { String($0.1) }
                #expect(named.count >= 3, "\(named)")
                for path in named {
                    #expect(path.contains(/^\/player\/hashed\/[a-z0-9-]+-[A-Z0-9]{8}\.[a-z]+$/))
                    #expect(try await field(path) == "public, max-age=31536000, immutable")
                }
                #expect(try await field(page) == "no-cache")
            }
            #expect(try await field("/player/service-worker.js") == "no-cache")
        }
    }

    @Test("A visit loads at most 200 kB of scripts, as the host compresses them")
    func scriptSize() async throws {
        let directory = try TemporaryDirectory()
        let site = try await PlayedLibrary.builtSite(in: directory)
        try await PlayedLibrary.with([], site: site) { played in
            let scripts = try FileManager.default.contentsOfDirectory(atPath: "\(site)/hashed")
                .filter { $0.hasSuffix(".js") && !$0.hasPrefix("share-") }
            #expect(scripts.count == 3)
            var total = 0
            for name in scripts {
                let run = try await ProcessRun.aside(
                    "curl",
                    [
                        "-sSf", "--compressed", "-o", "/dev/null", "-w", "%{size_download}",
                        "\(played.base)/player/hashed/\(name)",
                    ])
                total += try #require(Int(run.text))
            }
            #expect((50_000...200_000).contains(total))
        }
    }

    @Test("The same sources give the same files")
    func reproducible() async throws {
        let (first, second) = (try TemporaryDirectory(), try TemporaryDirectory())
        let sites = [
            try await PlayedLibrary.builtSite(in: first), try await PlayedLibrary.builtSite(in: second),
        ]
        let difference = try await ProcessRun.aside("diff", ["-r"] + sites, mustSucceed: false)
        #expect(difference.status == 0, "\(difference.text)")
        let scripts = try FileManager.default.contentsOfDirectory(atPath: "\(sites[0])/hashed").sorted()
        #expect(
            scripts.map { $0.prefix { $0 != "." }.dropLast(9) } == [
                "de", "es", "fr", "icon-192", "icon-512", "icon", "inter", "ja", "load-again", "player",
                "player",
                "player", "share", "share", "sound-worker",
            ])
    }

    @Test("A folder with other files is not replaced")
    func otherFolder() async throws {
        let directory = try TemporaryDirectory()
        _ = try directory.makeFolder("folder", of: [("mine.txt", [1])])
        let run = try await ProcessRun.aside(
            "\(PythonTools.root)/scripts/build-page", [directory.file("folder")], mustSucceed: false)
        #expect(run.status == 2)
        #expect(FileManager.default.fileExists(atPath: directory.file("folder/mine.txt")))
    }
}
