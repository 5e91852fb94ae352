import Foundation
import Testing

/// Consistency of the page's files.
@Suite("Module preloads")
struct SiteModulesTests {
    private func text(_ path: String) throws -> String {
        try String(contentsOf: URL(filePath: PlayedLibrary.site).appending(path: path), encoding: .utf8)
    }

    /// Collects a module and all its static imports.
    private func take(_ path: String, into modules: inout Set<String>) throws {
        guard modules.insert(path).inserted else { return }
        let folder = URL(filePath: "/\(path)").deletingLastPathComponent()
        for match in try text(path).matches(of: /(?m)^import\s(?:[^'"]*?from\s)?'([^']+)';/) {
            let imported = folder.appending(path: String(match.1)).standardized.path(percentEncoded: false)
            try take(String(imported.dropFirst()), into: &modules)
        }
    }

    @Test(
        "The page preloads all statically imported modules, so that they are fetched in parallel"
    )
    func preloads() throws {
        var modules: Set<String> = []
        try take("scripts/main.js", into: &modules)
        #expect(modules.count > 100)
        let named = try text("index.html").matches(of: /<link rel="modulepreload" href="\/player\/([^"]+)">/)
            .map { String($0.1) }
        #expect(Set(named).count == named.count)
        let missing = modules.subtracting(named).subtracting(["scripts/main.js"]).sorted()
        #expect(missing.map { #"<link rel="modulepreload" href="/player/\#($0)">"# } == [])
        #expect(Set(named).subtracting(modules).sorted() == [])
    }
}
