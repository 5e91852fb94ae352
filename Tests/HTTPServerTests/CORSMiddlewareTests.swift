import HTTPServer
import Testing

@Suite("CORS (Fetch standard)")
struct CORSMiddlewareTests {
    static func responder(_ origins: CORSMiddleware.Origins) -> RoutedResponder {
        let router = Router()
        router.add(CORSMiddleware(origins: origins))
        router.get("/a") { _ in .text("a") }
        router.get("/b") { _ in throw HTTPError(.unauthorized, code: "unauthorized", message: "Who?") }
        return router.build()
    }

    static let origin = "https://example.org"

    @Test(arguments: ["/a", "/b", "/none"])
    func pagesMayReadAnswersAndErrors(_ path: String) async {
        let request = HTTPRequest(.get, path, fields: [.origin: Self.origin])
        let response = await Self.responder(.any).respond(to: request)
        #expect(response.fields[.accessControlAllowOrigin] == "*")
        #expect(response.fields[.accessControlExposeHeaders]?.contains("Content-Range") == true)
        #expect(response.fields[.accessControlAllowCredentials] == nil)
    }

    @Test func preflight() async {
        let request = HTTPRequest(
            .options, "/a", fields: [.origin: Self.origin, .accessControlRequestMethod: "GET"])
        let response = await Self.responder(.any).respond(to: request)
        #expect(response.status == .noContent)
        #expect(response.fields[.accessControlAllowMethods]?.contains("PATCH") == true)
        #expect(response.fields[.accessControlAllowHeaders]?.contains("Authorization") == true)
        #expect(response.fields[.accessControlMaxAge] == "86400")
        // OPTIONS without CORS fields is not a preflight request.
        let plain = await Self.responder(.any).respond(to: HTTPRequest(.options, "/a"))
        #expect(plain.fields[.allow] == "GET, HEAD, OPTIONS")
    }

    @Test(arguments: [(origin, true), ("https://other.org", false), ("null", false)])
    func listedOriginsOnly(_ origin: String, _ isAllowed: Bool) async {
        let request = HTTPRequest(.get, "/a", fields: [.origin: origin])
        let response = await Self.responder(.listed([Self.origin])).respond(to: request)
        #expect(response.fields[.accessControlAllowOrigin] == (isAllowed ? origin : nil))
        #expect(response.fields[.vary] == "Origin")
    }

    @Test("Caches are informed that the response depends on the origin")
    func cachesAreToldThatTheOriginMatters() async {
        let response = await Self.responder(.listed([Self.origin])).respond(to: HTTPRequest(.get, "/a"))
        #expect(response.fields[.vary] == "Origin")
    }
}
