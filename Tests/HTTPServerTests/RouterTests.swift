import HTTPServer
import Synchronization
import Testing

@Suite("Router, without a socket")
struct RouterTests {
    static func text(_ response: HTTPResponse) -> String? {
        if case .bytes(let bytes) = response.body { return String(decoding: bytes, as: UTF8.self) }
        return nil
    }

    static func responder() -> RoutedResponder {
        let router = Router()
        router.get("/") { _ in .text("root") }
        router.get("/tracks/:id") { .text("track \($0.parameters["id"] ?? "?")") }
        router.get("/tracks/latest") { _ in .text("latest") }
        router.get("/tracks/:id/segments/:index.mp3") { request in
            let index = try request.parameters.require("index", as: Int.self)
            return .text("segment \(index) of \(request.parameters.raw("id") ?? "?")")
        }
        router.get("/tracks/:id/segments/:name") { .text("other \($0.parameters["name"] ?? "?")") }
        router.get("/static/**") { .text($0.parameters.catchAll.joined(separator: "|")) }
        router.post("/tracks") { request in
            .text("posted \(try await request.body.collect(upTo: 10).count)", .created)
        }
        router.delete("/tracks/:id") { _ in HTTPResponse(.noContent) }
        router.get("/fails") { _ in throw Failure() }
        router.get("/refuses") { _ in
            throw HTTPError(.conflict, code: "changed", message: "A \"quoted\"\n\u{1} text", field: "id")
        }
        return router.build()
    }

    struct Failure: Error {}

    @Test(arguments: [
        ("/", "root"), ("/tracks/7", "track 7"), ("/tracks/latest", "latest"),
        ("/tracks/latest/segments/3.mp3", "segment 3 of latest"),
        ("/tracks/a%2Fb/segments/12.mp3", "segment 12 of a%2Fb"), ("/tracks/a%2Fb", "track a/b"),
        ("/tracks/7/segments/3.ogg", "other 3.ogg"), ("/tracks/7/segments/.mp3", "other .mp3"),
        ("/static/a/b%20c/d.js", "a|b c|d.js"), ("/tracks/7/?x=1", "track 7"), ("/tracks/%C3%A9", "track é"),
        ("http://example.org:80/tracks/7?x", "track 7"), ("HTTPS://example.org", "root"),
    ])
    func matches(_ path: String, _ expected: String) async {
        let response = await Self.responder().respond(to: HTTPRequest(.get, path))
        #expect(response.status == .ok)
        #expect(Self.text(response) == expected)
    }

    @Test(arguments: [
        ("/nothing", 404), ("/tracks/7/segments", 404), ("/tracks/7/segments/x.mp3", 404), ("/static", 404),
        ("/tracks/%zz", 400), ("/tracks/%f", 400), ("/tracks/%00", 400), ("/tracks/%ff", 400),
        ("/fails", 500),
        ("/refuses", 409),
    ])
    func fails(_ path: String, _ status: Int) async {
        #expect(await Self.responder().respond(to: HTTPRequest(.get, path)).status.rawValue == status)
    }

    @Test func otherMethods() async {
        let responder = Self.responder()
        let wrong = await responder.respond(to: HTTPRequest(.put, "/tracks/7"))
        #expect(wrong.status == .methodNotAllowed)
        #expect(wrong.fields[.allow] == "DELETE, GET, HEAD, OPTIONS")
        let options = await responder.respond(to: HTTPRequest(.options, "/tracks"))
        #expect(options.status == .noContent)
        #expect(options.fields[.allow] == "OPTIONS, POST")
        #expect(await responder.respond(to: HTTPRequest(.head, "/tracks/7")).status == .ok)
        #expect(await responder.respond(to: HTTPRequest(.head, "/tracks")).status == .methodNotAllowed)
    }

    @Test func routesAreListed() {
        let router = Router()
        router.get("/") { _ in .text("") }
        let group = router.group("api/").group()
        group.post("/tracks/:id.json") { _ in .text("") }
        group.get("static/**") { _ in .text("") }
        #expect(
            router.build().routes.map(\.description) == [
                "GET /", "POST /api/tracks/:id.json", "GET /api/static/**",
            ])
    }

    @Test func errorsAreJSON() async {
        let response = await Self.responder().respond(to: HTTPRequest(.get, "/refuses"))
        #expect(response.fields[.contentType] == "application/json")
        #expect(
            Self.text(response)
                == #"{"error":{"code":"changed","message":"A \"quoted\"\n\u0001 text","field":"id"}}"# + "\n")
    }

    @Test("Internal errors are logged but not sent to clients")
    func errorsOfOurOwnAreReportedButNotTold() async throws {
        let router = Router()
        router.get("/") { _ in throw Failure() }
        let (reports, sink) = AsyncStream.makeStream(of: String.self)
        let responder = router.build { error, _ in sink.yield("\(error)") }
        let response = await responder.respond(to: HTTPRequest(.get, "/"))
        sink.finish()
        #expect(response.status == .internalServerError)
        #expect(try #require(Self.text(response)).contains("Failure") == false)
        var iterator = reports.makeAsyncIterator()
        #expect(await iterator.next() == "Failure()")
    }

    /// Adds a value to the response.
    private struct Mark: HTTPMiddleware {
        let name: String

        func finish(_ outcome: inout Result<HTTPResponse, any Error>, for request: HTTPRequest) {
            outcome = outcome.map { response in
                var response = response
                response.fields.append(HTTPField(.vary, name))
                return response
            }
        }
    }

    @Test func middlewareWrapsTheRoutesAfterIt() async {
        let router = Router()
        router.get("/before") { _ in .text("") }
        router.add(Mark(name: "outer"))
        let group = router.group("/api", middleware: [Mark(name: "inner")])
        group.get("/x") { _ in .text("") }
        let responder = router.build()
        #expect(await responder.respond(to: HTTPRequest(.get, "/before")).fields[.vary] == nil)
        #expect(await responder.respond(to: HTTPRequest(.get, "/api/x")).fields[.vary] == "inner, outer")
    }

    /// Counts its calls, and rejects requests with the query `reject`.
    private final class Guard: HTTPMiddleware {
        let preparedCount = Atomic(0)
        let finishedCount = Atomic(0)

        func prepare(_ request: inout HTTPRequest) throws -> HTTPResponse? {
            preparedCount.add(1, ordering: .relaxed)
            if request.query.raw == "reject" {
                throw HTTPError(.unauthorized, code: "missing_key", message: "Send a key.")
            }
            return request.query.raw == "answer" ? .text("answered") : nil
        }

        func finish(_ outcome: inout Result<HTTPResponse, any Error>, for request: HTTPRequest) {
            finishedCount.add(1, ordering: .relaxed)
        }
    }

    @Test(
        "Requests that a route cannot answer immediately run as a task; middleware runs once in both cases",
        arguments: [
            ("/5", 200, "immediate 5"), ("/50", 200, "task 50"), ("/x", 404, nil), ("/5?reject", 401, nil),
            ("/50?reject", 401, nil), ("/50?answer", 200, "answered"), ("/500", 409, nil),
        ])
    func immediateRoutes(_ path: String, _ status: Int, _ text: String?) async throws {
        let guarding = Guard()
        let handlerCount = Atomic(0)
        let router = Router()
        router.group(middleware: [guarding]).get(
            "/:number",
            immediate: { request in
                handlerCount.add(1, ordering: .relaxed)
                let number: Int = try request.parameters.require("number")
                return number < 10 ? .text("immediate \(number)") : nil
            }
        ) { request in
            let number: Int = try request.parameters.require("number")
            guard number < 100 else {
                throw HTTPError(.conflict, code: "changed", message: "It has changed.")
            }
            return .text("task \(number)")
        }
        let response = await router.build().respond(to: HTTPRequest(.get, path))
        #expect(response.status.rawValue == status)
        if let text { #expect(Self.text(response) == text) }
        #expect(guarding.preparedCount.load(ordering: .relaxed) == 1)
        #expect(guarding.finishedCount.load(ordering: .relaxed) == 1)
        #expect(handlerCount.load(ordering: .relaxed) == (path.contains("?") ? 0 : 1))
    }

    @Test("Unknown query parameters are found, however they are encoded")
    func unknownParameters() {
        let names = ["v", "start time"]
        #expect(QueryParameters("").firstName(notIn: names) == nil)
        #expect(QueryParameters("v=1&start+time=2&&%76=3").firstName(notIn: names) == nil)
        #expect(QueryParameters("v=1&w%20x=2&y").firstName(notIn: names) == "w x")
        #expect(QueryParameters("start").firstName(notIn: names) == "start")
        #expect(QueryParameters("=1").firstName(notIn: names) == "")
    }

    @Test func bodiesAreLimited() async {
        let responder = Self.responder()
        let fits = await responder.respond(to: HTTPRequest(.post, "/tracks", body: .bytes([1, 2])))
        #expect(Self.text(fits) == "posted 2")
        let large = HTTPRequest(.post, "/tracks", body: .bytes(Array(repeating: 0, count: 11)))
        #expect(await responder.respond(to: large).status == .contentTooLarge)
    }

    @Test func queriesAreForms() {
        let query = HTTPRequest(.get, "/?q=a+b%26c&empty&q=2&bad=%zz#f").query
        #expect(query["q"] == "a b&c")
        #expect(query.values(of: "q") == ["a b&c", "2"])
        #expect(query["empty"] == "")
        #expect(query["bad"] == "%zz#f")
        #expect(query["none"] == nil)
        #expect(throws: HTTPError.self) { try query.require("q", as: Int.self) }
    }

    @Test func fieldsCannotBeForged() {
        let response = HTTPResponse(fields: [.location: "/a\r\nSet-Cookie: x"])
        #expect(response.fields[.location] == "/a  Set-Cookie: x")
        #expect(HTTPFieldName("a b") == nil)
        #expect(HTTPFieldName("ETAG") == .entityTag)
    }
}
