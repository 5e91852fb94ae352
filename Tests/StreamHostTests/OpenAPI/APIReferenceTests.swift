import Foundation
import HTTPServer
import MusicShared
import Testing
import TestSupport
@testable import APIDescription

@testable import StreamHost

/// The API reference: `docs/api.md` and the page at `/docs`.
@Suite("API reference", .timeLimit(.minutes(30)))
struct APIReferenceTests {
    private let served: ServedLibrary

    init() async throws { served = try await ServedStreams.library.value }

    private static let document = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../docs/api.md").standardized

    @Test("docs/api.md is what the description says")
    func markdown() throws {
        let expected = served.apiMarkdown
        if ProcessInfo.processInfo.environment["RECORD_API_REFERENCE"] != nil {
            try expected.write(to: Self.document, atomically: true, encoding: .utf8)
            Issue.record("docs/api.md was written: run the test again without RECORD_API_REFERENCE.")
            return
        }
        let found = try String(contentsOf: Self.document, encoding: .utf8)
        // The first line only: the whole document would fill the log.
        let difference = zip(Self.lines(found), Self.lines(expected)).first { $0 != $1 }
        let isCurrent = found == expected
        #expect(
            isCurrent,
            """
            docs/api.md is out of date: RECORD_API_REFERENCE=1 swift test --filter APIReferenceTests
            found: \(difference?.0 ?? "the end")
            expected: \(difference?.1 ?? "the end")
            """)
    }

    private static func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    private func page() async throws -> (response: HTTPResponse, text: String) {
        let response = await served.responder.respond(to: HTTPRequest(.get, APIReferenceRoutes.path))
        guard case .bytes(let bytes) = response.body else { return (response, "") }
        return (response, String(decoding: bytes, as: UTF8.self))
    }

    @Test("/docs needs no key, runs no foreign code and is answered with 304 while it is the same")
    func response() async throws {
        let (response, _) = try await page()
        #expect(response.status == .ok && response.fields[.contentType] == "text/html; charset=utf-8")
        let name = try #require(HTTPFieldName("Content-Security-Policy"))
        let policy = try #require(response.fields[name])
        #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"))
        #expect(!policy.contains("unsafe"))
        let tag = try #require(response.fields[.entityTag])
        let again = HTTPRequest(.get, APIReferenceRoutes.path, fields: [.ifNoneMatch: tag])
        #expect(await served.responder.respond(to: again).status == .notModified)
    }

    @Test("/docs has every operation and every schema, and no address of another host")
    func contents() async throws {
        let text = try await page().text
        let operations = served.responder.routes.filter { route in
            // The OpenSubsonic API has its own specification.
            ![APIReferenceRoutes.path, SubsonicRoutes.pattern].contains(route.path)
                && !(WebPlayerRoutes.patterns + ShareRoutes.patterns).contains(route.path)
        }
        #expect(operations.count > 80)
        for operation in operations {
            let path = operation.path.replacing(/:([A-Za-z0-9_]+)/) { "{\($0.output.1)}" }
            let form = "data-method=\"\(operation.method.rawValue)\" data-path=\"\(path)\""
            #expect(text.contains(form), "\(operation)")
        }
        let addresses = text.matches(of: /(?:href|src|action)="([^"]*)"/).map { String($0.1) }
        #expect(addresses.filter { !$0.hasPrefix("/") && !$0.hasPrefix("#") } == [])
        // Every link within the page has its target.
        let ids = Set(text.matches(of: /\sid="([^"]+)"/).map { String($0.1) })
        #expect(addresses.filter { $0.hasPrefix("#") && !ids.contains(String($0.dropFirst())) } == [])
        #expect(!text.contains("<script>") && !text.contains("style=\""))
    }

    /// Routes whose description has characters that mean something in HTML and Markdown.
    private struct SpecialRoutes: DescribedRoutes {
        static let tag = "Test"
        static let operations = [operation(.get, "/x", "x", "<b>1 & 2|\"3\"", answer: .done("<i>"))]

        func add(to routes: some RouteCollection) {}
    }

    @Test("Text of the description is escaped")
    func escaping() {
        let reference = APIReference(OpenAPIDocument([SpecialRoutes.self]))
        #expect(reference.html.contains("&lt;b&gt;1 &amp; 2|&quot;3&quot;"))
        #expect(!reference.html.contains("<b>1") && !reference.html.contains("<i>"))
        #expect(reference.markdown.contains("| &lt;b>1 & 2\\|\"3\" |") && !reference.markdown.contains("<b>"))
    }
}
