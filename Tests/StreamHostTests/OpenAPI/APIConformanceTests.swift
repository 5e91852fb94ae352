import Companion
import Foundation
import HostEditing
import HTTPClient
import HTTPServer
import Jukebox
import MusicFiles
import MusicShared
import RadioRelay
import Synchronization
import Testing
import TestSupport
@testable import APIDescription
@testable import HostAccounts
@testable import LibraryStore

@testable import StreamHost

/// Checks the description with independent tools: one validates it, and one generates requests from it and
/// compares every response with it.
@Suite("API conformance", .timeLimit(.minutes(30)))
struct APIConformanceTests {
    /// Seed of all generated requests.
    private static let seed = 20
    /// Number of generated requests per operation and kind of test.
    private static let examples = 20

    /// All responses of the server.
    private final class Answers: Sendable {
        private let seen = Mutex<[(method: HTTPMethod, path: String, status: Int)]>([])

        func add(_ entry: AccessLogEntry) {
            let path = String(entry.target.prefix { $0 != "?" })
            seen.withLock { $0.append((entry.method, path, entry.status?.rawValue ?? 0)) }
        }

        /// Returns the number of successful requests to a route.
        func successCount(_ route: RegisteredRoute) throws -> Int {
            let pattern = try Regex(
                route.path.replacing(/:[a-z_]+/, with: "[^/]+").replacing(".", with: "\\."),
                as: Substring.self)
            return seen.withLock { seen in
                seen.count {
                    $0.method == route.method && (200...206).contains($0.status)
                        && $0.path.wholeMatch(of: pattern) != nil
                }
            }
        }
    }

    private static func files() throws -> [(name: String, bytes: [UInt8])] {
        var music = PCM.music(frameCount: 25 * 44_100, seed: 3)
        // Fades out, so that tracks can overlap.
        for index in music.samples.indices {
            let left = Double(music.samples.count - index) / Double(music.samples.count)
            music.samples[index] = Int16(Double(music.samples[index]) * min(1, left * 3))
        }
        let silence = PCM(sampleRate: 32_000, channelCount: 1, samples: [Int16](repeating: 0, count: 64_000))
        let short = PCM.music(frameCount: 44_100, seed: 4)
        let tags = ["--ta", "Someone", "--tl", "Album"]
        return [
            ("1.mp3", try Encoders.lame(music, ["-b", "64", "--tn", "1"] + tags)),
            ("2.mp3", try Encoders.lame(music, ["-V", "6", "--tn", "2"] + tags)),
            ("3.mp3", try Encoders.lame(short, ["--freeformat", "-b", "320"])),
            ("4.mp3", try Encoders.lame(silence)),
            ("cover.png", try picture()),
            ("1.lrc", Array("[00:01.00]one".utf8)), ("2.lrc", Array("[00:01.00]two".utf8)),
        ]
    }

    /// Fills the jukebox, since generated requests hardly find a track and a position that exist.
    private static func useJukebox(_ served: ServedLibrary) async throws {
        for (method, path, body) in [
            ("PUT", Routes.jukeboxQueue, #"{"track_ids": [1, 1, 1]}"#),
            ("POST", Routes.jukeboxEntries, #"{"track_ids": [1], "position": 0}"#),
            ("PATCH", "\(Routes.jukeboxQueue)/entries/0", #"{"position": 2}"#),
            ("DELETE", "\(Routes.jukeboxQueue)/entries/0", "{}"),
            ("POST", Routes.jukeboxShuffle, "{}"), ("PATCH", Routes.jukebox, #"{"volume": 0.5}"#),
            ("GET", Routes.jukebox, ""),
        ] {
            let content = ["-H", "Content-Type: application/json", "-d", body]
            let answer = try await served.get(path, ["-X", method] + (method == "GET" ? [] : content))
            #expect(answer.status == 200, "\(method) \(path): \(answer.text)")
        }
    }

    /// Sends requests that need real files or existing objects, which generated requests do not have.
    private static func useFiles(_ served: ServedLibrary, _ directory: TemporaryDirectory) async throws {
        let bytes = try Encoders.lame(PCM.music(frameCount: 44_100, seed: 9))
        let path = try directory.write(bytes, as: "sent.mp3")
        let sent = try await served.get(Routes.upload, ["-F", "file=@\(path)"])
        let report = try JSONDecoder().decode(UploadReport.self, from: Data(sent.body))
        let id = try #require(report.files.first?.trackID)
        for isLast in [false, true] {
            let trashed = try await served.get("/tracks/\(id)", ["-X", "DELETE"])
            let item = try JSONDecoder().decode(TrashItem.self, from: Data(trashed.body))
            _ = try await served.get(
                "/trash/\(item.trashID)\(isLast ? "" : "/restore")", ["-X", isLast ? "DELETE" : "POST"])
        }
        for (method, end) in [("POST", "/undo"), ("DELETE", "")] {
            let edited = try await served.send(
                "PATCH", Routes.batchEditMetadata,
                ["changes": ["title": method], "relative_paths": ["2.mp3"]])
            let id = try #require(try edited.json("edit_id") as? Int)
            _ = try await served.send(method, "/edits/\(id)\(end)", [:])
        }
        // Only FLAC files have fragments.
        let lossless = try directory.write(try IntegerSound.tones(frameCount: 44_100).flac(), as: "sent.flac")
        let received = try await served.get(Routes.upload, ["-F", "file=@\(lossless)"])
        let flac = try #require(
            try JSONDecoder().decode(UploadReport.self, from: Data(received.body)).files.first?.trackID)
        for path in ["/tracks/\(flac)/segments/0.m4s", "/tracks/\(flac)/init.mp4"] {
            try await until { try await served.get(path).status == 200 }
        }
        let made = try await served.send("POST", Routes.appPasswords, ["name": "app"])
        let password = try JSONDecoder().decode(NewAppPassword.self, from: Data(made.body))
        _ = try await served.get("/account/app-passwords/\(password.id)", ["-X", "DELETE"])
        // Few generated rules are valid.
        let rules = #"{"all": [{"gt": {"duration": 1}}]}"#
        let smart = try await served.get(
            "\(Routes.smartPlaylists)?name=Smart", ["-H", "Content-Type: application/json", "-d", rules])
        _ = try await served.get("\(try #require(smart.field("Location")))/nsp")
        for path in [Routes.smartPlaylistCount, Routes.smartPlaylistTracks] {
            _ = try await served.get(
                path, ["-H", "Content-Type: application/json", "-d", "{\"rules\": \(rules)}"])
        }
        for method in ["PUT", "DELETE"] {
            let json = "{\"file_name\":\"x\",\"byte_count\":\(bytes.count)}"
            let upload = try await served.get(
                Routes.resumableUploads, ["-H", "Content-Type: application/json", "-d", json])
            let location = try #require(upload.field("Location"))
            _ = try await served.get(location)
            _ = try await served.get(
                location, ["-X", method] + (method == "PUT" ? ["--data-binary", "@\(path)"] : []))
        }
    }

    private static func picture() throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        try ProcessRun.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc=size=300x300", "-frames:v", "1",
                directory.file("cover.png"),
            ])
        return try directory.read("cover.png")
    }

    @Test("The document is valid according to the schema of the specification")
    func document() async throws {
        let tools = try await PythonTools.folder()
        let served = try await ServedStreams.library.value
        let directory = try TemporaryDirectory()
        let path = try directory.write(
            try await served.get("/openapi.json", key: "").body, as: "openapi.json")
        let run = try await ProcessRun.aside(
            "\(tools)/bin/openapi-spec-validator", ["--schema", "3.1", path], mustSucceed: false)
        #expect(run.status == 0, "\(run.text)")
    }

    @Test("All responses match the description")
    func answers() async throws {
        let tools = try await PythonTools.folder()
        let answers = Answers()
        let files = try Self.files()
        // Track 1 is used in the examples of the description, so it must support all operations; the others
        // come later.
        try await ServedLibrary.with(
            [files[0]], accessLog: { answers.add($0) },
            settings: {
                // Disable the limits on free space and concurrency, because generated requests are demanding.
                $0.uploads.limits.openUploads = Int.max
                $0.uploads.limits.reservedBytes = -(1 << 60)
                $0.radio.allowedNetworks = [NetworkRange("127.0.0.1")].compactMap { $0 }
                $0.jukebox = JukeboxSettings(output: .null)
            }
        ) { served in
            #expect(try served.id("1.mp3") == 1)
            for file in files.dropFirst() {
                try Data(file.bytes).write(to: URL(filePath: served.file(file.name)))
            }
            _ = try LibraryPass(music: served.music, data: served.data, options: PassOptions()).run()
            let listening = try ListeningStore(served.data).account(Account.mainID)
            _ = try listening.apply(
                (1...20).map { number in
                    var play = ListeningAction(.play, at: Double(number))
                    play.trackID = 1
                    return play
                })
            // Enough tracks for some to survive generated deletions.
            for number in 1...20 {
                _ = try served.library.makePlaylist(
                    name: "Playlist \(number)", trackIDs: Array(repeating: 1, count: 10))
            }
            _ = try WorkStore(served.data).makeFolderJob(JobRequest())
            let shares = try ShareStore(served.data)
            for _ in 1...20 {
                _ = try shares.add(
                    accountID: Account.mainID, items: [.track(1)], description: nil, expiresAt: nil)
            }
            let directory = try TemporaryDirectory()
            // A valid request may still be rejected because of conditional headers or the state of the file.
            let settings = """
                [checks]
                positive_data_acceptance.expected-statuses = \
                ["2xx", "3xx", "401", "403", "404", "409", "412", "416", "422", "428"]
                negative_data_rejection.expected-statuses = \
                ["400", "401", "403", "404", "405", "409", "412", "413", "415", "416", "422", "428"]
                missing_required_header.expected-statuses = ["400", "401", "415", "422", "428"]
                """
            let configuration = try directory.write(Array(settings.utf8), as: "schemathesis.toml")
            try await Self.useFiles(served, directory)
            try await ConformanceStations.use(served)
            try await Self.useJukebox(served)
            // Test the removal of the track last, because all other requests need it.
            for choice in [
                ["--exclude-operation-id", "removeTrack"], ["--include-operation-id", "removeTrack"],
            ] {
                let run = try await ProcessRun.aside(
                    "env",
                    [
                        // It writes files to its working directory.
                        "--chdir", directory.path, "\(tools)/bin/schemathesis", "--config-file",
                        configuration,
                        "run", "\(served.base)/openapi.json", "--header", served.authorization,
                        // Skip WebSockets.
                        "--exclude-path", Routes.remoteChannel, "--exclude-path", Routes.push,
                        // Skip requests that make the host ask other servers.
                        "--exclude-operation-id", "connectListenBrainz", "--exclude-operation-id",
                        "connectLastFM",
                    ] + ConformanceStations.operations.flatMap { ["--exclude-operation-id", $0] } + [
                        "--seed", "\(Self.seed)",
                        "--generation-database", "none", "--max-examples", "\(Self.examples)",
                        "--continue-on-failure",
                        // Handlers may have to wait while other tests are computing.
                        "--request-timeout", "300", "--max-response-time", "300", "--checks", "all",
                        // A cancelled job can still be read.
                        // Invalid keys would block the address; access is tested elsewhere.
                        "--exclude-checks", "ignored_auth,use_after_free", "--warnings", "off", "--no-color",
                    ] + choice, mustSucceed: false)
                #expect(run.status == 0, "\(run.text)\(String(decoding: run.errors, as: UTF8.self))")
            }
            // WebSockets have their own tests.
            // So do routes that need another server, a missing folder or the password of an account.
            // The reference of the API is a page, not part of it; the OpenSubsonic API has its own specification.
            let tested =
                [
                    APIReferenceRoutes.path, SubsonicRoutes.pattern, Routes.remoteChannel, Routes.push,
                    Routes.rescan, Routes.removalConfirmation, Routes.signIn, Routes.ownPassword,
                    Routes.lastFMSession,
                ] + ShareRoutes.patterns
            let foreign = [Routes.listenBrainz, Routes.lastFM]
            for route in served.responder.routes
            where !tested.contains(route.path) && !(route.method == .put && foreign.contains(route.path)) {
                #expect(try answers.successCount(route) > 0, "\(route) has never gone well")
            }
        }
    }
}
