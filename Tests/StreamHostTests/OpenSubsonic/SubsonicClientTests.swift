import Companion
import Foundation
import HTTPServer
import MusicFiles
import Testing
import TestSupport

@testable import StreamHost

/// Programs of others that speak the protocol, and the specification itself, before a real host.
@Suite("OpenSubsonic clients", .timeLimit(.minutes(30)))
struct SubsonicClientTests {
    private static let scripts = "\(PythonTools.root)/Tests/StreamHostTests/Clients"
    /// The specification's OpenAPI document, next to the checkout or where the environment points.
    private static let specification =
        ProcessInfo.processInfo.environment["OPENSUBSONIC_SPECIFICATION"]
        ?? "\(PythonTools.root)/../shared/opensubsonic/openapi"
    private static var hasSpecification: Bool {
        FileManager.default.fileExists(atPath: "\(specification)/openapi.json")
    }

    /// The items that the scripts request, as JSON. Their album gets a cover.
    private func ids(_ library: SubsonicLibrary) async throws -> String {
        let folder = library.served.music.displayPath
        try await ProcessRun.aside(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc=size=200x200", "-frames:v", "1",
                "\(folder)/a/cover.png",
            ])
        let song = try #require(
            try await library.ask("getSong", "id=\(library.id("a/1.mp3"))")["song"] as? [String: Any])
        let ids: [String: Any] = [
            "song": try library.id("a/1.mp3"), "other": try library.id("c/1.mp3"),
            "album": try #require(song["albumId"] as? String),
            "artist": try #require(song["artistId"] as? String),
            "artistName": SubsonicLibrary.songs[0].artist, "songTitle": SubsonicLibrary.songs[0].title,
            "size": try #require(song["size"] as? Int),
            "endpoints": library.served.subsonicEndpoints,
        ]
        return String(decoding: try JSONSerialization.data(withJSONObject: ids), as: UTF8.self)
    }

    private func run(_ script: String, _ arguments: [String]) async throws -> String {
        try await ProcessRun.aside(
            PythonTools.program("python"), ["-B", "\(Self.scripts)/\(script)"] + arguments
        ).text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test(
        "Every JSON answer fits the specification's schemas, and every XML answer equals it",
        .enabled(
            if: SubsonicClientTests.hasSpecification,
            "needs the specification in ../shared/opensubsonic, or OPENSUBSONIC_SPECIFICATION"))
    func schemas() async throws {
        try await SubsonicLibrary.with { library in
            let output = try await run(
                "subsonic_schemas.py",
                [library.served.base, library.password, Self.specification, try await ids(library)])
            #expect(output == "valid")
        }
    }

    @Test("py-sonic's calls work, with tokens and with passwords")
    func pySonic() async throws {
        try await SubsonicLibrary.with { library in
            let output = try await run(
                "subsonic_py_sonic.py",
                [
                    "http://127.0.0.1", "\(library.served.server.port)", library.password,
                    try await ids(library),
                ])
            #expect(output == "done")
        }
    }

    @Test("py-opensonic's calls work, with tokens and with an API key")
    func pyOpenSonic() async throws {
        try await SubsonicLibrary.with { library in
            let output = try await run(
                "subsonic_opensonic.py",
                [
                    "http://127.0.0.1", "\(library.served.server.port)", library.password,
                    try await ids(library),
                ])
            #expect(output == "done")
        }
    }
}
