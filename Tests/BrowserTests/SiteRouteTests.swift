import Foundation
import HTTPServer
import TestSupport
import Testing

@Suite("The player's files", .timeLimit(.minutes(30)))
struct SiteRouteTests {
    @Test(
        "The page is served without a key, may run no scripts but its own, and is sent again only when it changed"
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

    @Test(
        "Nothing outside of the site is handed out",
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
