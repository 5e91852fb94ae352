import Foundation
import HTTPServer
import MusicShared
import TestSupport
import Testing

/// The description against the routes that there are.
@Suite("API description", .timeLimit(.minutes(3)))
struct APIDescriptionTests {
    private let served: ServedLibrary

    init() throws { served = try ServedStreams.library.get() }

    private func document() async throws -> [String: Any] {
        let response = await served.responder.respond(to: HTTPRequest(.get, Routes.openAPI))
        #expect(response.status == .ok && response.fields[.contentType] == "application/json")
        guard case .bytes(let bytes) = response.body else { return [:] }
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    /// An operation of the document.
    private struct Operation {
        let route: String
        let fields: [String: Any]

        var method: HTTPMethod { HTTPMethod(rawValue: String(route.prefix { $0 != " " })) }
        var needsKey: Bool { (fields["security"] as? [Any])?.isEmpty == false }
        /// A path that the operation answers.
        var example: String {
            String(route.drop { $0 != " " }.dropFirst())
                .replacing(/:[a-z_]+/, with: "1") + "?track_id=1&from=1&to=1"
        }
    }

    private func operations() async throws -> [Operation] {
        let paths = try #require(try await document()["paths"] as? [String: [String: Any]])
        return paths.flatMap { path, methods in
            methods.map { method, fields in
                let pattern = path.replacing(/\{([a-z_]+)\}/) { ":\($0.output.1)" }
                return Operation(
                    route: "\(method.uppercased()) \(pattern)", fields: fields as? [String: Any] ?? [:])
            }
        }
    }

    @Test("Every route is described, and nothing else is")
    func routes() async throws {
        let described = try await operations().map(\.route)
        let registered = served.responder.routes.map(\.description)
        #expect(Set(described) == Set(registered))
        #expect(registered.count == Set(registered).count)
    }

    @Test("What is said to need the key is refused without it, all else is told to everybody")
    func access() async throws {
        let operations = try await operations()
        #expect(operations.contains { $0.needsKey } && operations.contains { !$0.needsKey })
        for operation in operations {
            let request = HTTPRequest(operation.method, operation.example)
            let response = await served.responder.respond(to: request)
            #expect(response.status == (operation.needsKey ? .unauthorized : .ok), "\(operation.route)")
        }
    }

    @Test("Every operation has a name of its own, a heading and a summary")
    func names() async throws {
        let operations = try await operations()
        let names = operations.compactMap { $0.fields["operationId"] as? String }
        #expect(Set(names).count == operations.count)
        for operation in operations {
            #expect((operation.fields["summary"] as? String)?.isEmpty == false)
            #expect((operation.fields["tags"] as? [String])?.count == 1)
        }
    }

    @Test("The schema of a track's report has all its keys")
    func trackReport() async throws {
        let components = try await document()["components"] as? [String: Any]
        let schemas = try #require(components?["schemas"] as? [String: [String: Any]])
        let properties = try #require(schemas["TrackReport"]?["properties"] as? [String: Any])
        #expect(
            Set(properties.keys) == Set(TrackReport.CodingKeys.allCases.map(\.rawValue) + ["beat_seconds"]))
    }

    @Test("Clients that have the description are told so")
    func unchanged() async throws {
        let tag = try #require(
            await served.responder.respond(to: HTTPRequest(.get, Routes.openAPI)).fields[.entityTag])
        let again = HTTPRequest(.get, Routes.openAPI, fields: [.ifNoneMatch: tag])
        #expect(await served.responder.respond(to: again).status == .notModified)
    }
}
