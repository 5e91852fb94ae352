import Foundation
import HTTPServer
import TestSupport
import Testing

@Suite("Web player files", .timeLimit(.minutes(30)))
struct SiteRouteTests {
    /// The list of files, as served.
    private struct Release: Decodable, Equatable {
        let version: String
        let files: [String]
    }

    private static func fetched(_ address: String) async throws -> String {
        let run = try await ProcessRun.aside("curl", ["-sS", address])
        return run.text
    }

    private static func release(at base: String) async throws -> Release {
        let text = try await fetched("\(base)/files.json")
        return try JSONDecoder().decode(Release.self, from: Data(text.utf8))
    }

    @Test(
        "The page is served without a key, with a strict Content-Security-Policy, and conditionally"
    )
    func page() async throws {
        try await PlayedLibrary.with([]) { played in
            let head = try await ProcessRun.aside("curl", ["-sS", "-i", "\(played.base)/"]).text
            #expect(head.hasPrefix("HTTP/1.1 200"))
            func field(_ name: String) -> String? {
                head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
                    .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
            }
            let policy = try #require(field("Content-Security-Policy"))
            #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"))
            // Users may add other hosts by any address; scripts come from this one.
            #expect(policy.contains("connect-src 'self' http: https: ws: wss:"))
            #expect(!policy.contains("unsafe"))
            #expect(field("X-Content-Type-Options") == "nosniff")
            #expect(field("Referrer-Policy") == "no-referrer")
            #expect(field("Cache-Control") == "no-cache")
            let tag = try #require(field("ETag"))
            #expect(!tag.hasPrefix("W/"))
            let again = try await ProcessRun.aside(
                "curl",
                [
                    "-sS", "-o", "/dev/null", "-w", "%{http_code}", "-H", "If-None-Match: \(tag)",
                    "\(played.base)/",
                ]
            ).text
            #expect(again == "304")
        }
    }

    @Test("files.json lists all files, and its version changes with any of them")
    func fileList() async throws {
        let copy = try TemporaryDirectory()
        let folder = copy.file("site")
        try PlayedLibrary.copy(PlayedLibrary.site, to: folder)
        let played = try await aside { try PlayedLibrary([], site: folder) }
        let base = "\(played.base)/player"
        let first = try await Self.release(at: base)
        let found = try await ProcessRun.aside("find", [folder, "-type", "f", "-printf", "/player/%P\n"])
        let own = ["/player/index.html", "/player/service-worker.js"]
        let expected = Set(found.text.split(separator: "\n").map(String.init)).subtracting(own)
        #expect(Set(first.files) == expected.union(["/"]))
        #expect(first.files.count == Set(first.files).count)
        let firstWorker = try await Self.fetched("\(base)/service-worker.js")
        #expect(firstWorker.hasPrefix("const VERSION = '\(first.version)';\n"))
        let again = try await Self.release(at: base)
        #expect(again == first)
        let style = "\(folder)/style/tokens.css"
        let before = try String(contentsOfFile: style, encoding: .utf8)
        try "\(before)\n".write(toFile: style, atomically: true, encoding: .utf8)
        let second = try await Self.release(at: base)
        #expect(second.version != first.version && second.files == first.files)
        let secondWorker = try await Self.fetched("\(base)/service-worker.js")
        #expect(secondWorker.hasPrefix("const VERSION = '\(second.version)';\n"))
        try before.write(toFile: style, atomically: true, encoding: .utf8)
        let restored = try await Self.release(at: base)
        #expect(restored == first)
        await played.server.shutdown(withinSeconds: 2)
    }

    @Test(
        "Paths outside the web player's folder are rejected",
        arguments: [
            "player/../WebPlayerSite.swift", "player/%2e%2e/WebPlayerSite.swift", "player/.hidden.js",
            "player/scripts//main.js", "player/", "player/scripts", "player/none.js",
            "player/..%2fWebPlayerSite.swift",
        ])
    func outside(path: String) async throws {
        try await PlayedLibrary.with([]) { played in
            let status = try await ProcessRun.aside(
                "curl",
                [
                    "-sS", "--path-as-is", "-o", "/dev/null", "-w", "%{http_code}",
                    "\(played.base)/\(path)",
                ]
            ).text
            #expect(status == "404" || status == "400")
        }
    }
}
