import Foundation
import HTTPServer
import MusicShared
import Testing
import TestSupport
@testable import APIDescription
@testable import HostAccounts

@testable import StreamHost

/// Compares the description with the actual routes.
@Suite("API description", .timeLimit(.minutes(30)))
struct APIDescriptionTests {
    private let served: ServedLibrary

    init() async throws { served = try await ServedStreams.library.value }

    private func document() async throws -> [String: Any] {
        let response = await served.responder.respond(to: HTTPRequest(.get, Routes.openAPI))
        #expect(response.status == .ok && response.fields[.contentType] == "application/json")
        guard case .bytes(let bytes) = response.body else { return [:] }
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    /// An operation in the document.
    private struct Operation {
        let route: String
        let fields: [String: Any]

        var method: HTTPMethod { HTTPMethod(rawValue: String(route.prefix { $0 != " " })) }
        var needsKey: Bool { (fields["security"] as? [Any])?.isEmpty == false }
        var takesToken: Bool {
            (fields["security"] as? [[String: Any]])?.contains { $0.keys.contains("token") } == true
        }
        /// A concrete path of the operation.
        var example: String {
            let declared = (fields["parameters"] as? [[String: Any]] ?? []).filter {
                $0["in"] as? String == "query"
            }
            .compactMap { $0["name"] as? String }
            let query = ["track_id", "from", "to"].filter(declared.contains).map { "\($0)=1" }
            return String(route.drop { $0 != " " }.dropFirst())
                .replacing(/:[a-z_]+/, with: "1") + "?" + query.joined(separator: "&")
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

    @Test("Exactly the existing routes are described")
    func routes() async throws {
        let described = try await operations().map(\.route)
        let page = (WebPlayerRoutes.patterns + ShareRoutes.patterns + [APIReferenceRoutes.path]).map {
            "GET \($0)"
        }
        // The OpenSubsonic API has a specification of its own, against which its tests check it.
        let subsonic = ["GET", "POST"].map { "\($0) \(SubsonicRoutes.pattern)" }
        let registered = served.responder.routes.map(\.description).filter {
            !page.contains($0) && !subsonic.contains($0)
        }
        #expect(Set(described) == Set(registered))
        #expect(registered.count == Set(registered).count)
    }

    @Test("Routes require the key if and only if the description says so")
    func access() async throws {
        let operations = try await operations()
        #expect(operations.contains { $0.needsKey } && operations.contains { !$0.needsKey })
        for operation in operations {
            let request = HTTPRequest(operation.method, operation.example)
            let response = await served.responder.respond(to: request)
            // A sign-in without content is refused for that reason.
            let open: HTTPStatus = operation.method == .get ? .ok : .unsupportedMediaType
            #expect(response.status == (operation.needsKey ? .unauthorized : open), "\(operation.route)")
        }
    }

    @Test("Undescribed query parameters are rejected with 400 and named")
    func unknownParameters() async throws {
        for operation in try await operations() {
            let request = HTTPRequest(
                operation.method, operation.example + "&no_such_parameter=1",
                fields: [.authorization: "Bearer \(served.secrets.apiKeyText)"])
            let response = await served.responder.respond(to: request)
            #expect(response.status == .badRequest, "\(operation.route)")
            guard case .bytes(let body) = response.body else {
                Issue.record("\(operation.route) says nothing")
                continue
            }
            let text = String(decoding: body, as: UTF8.self)
            #expect(text.contains("\"unknown_parameter\"") && text.contains("no_such_parameter"), "\(text)")
        }
    }

    @Test("Routes accept a token if and only if the description says so")
    func tokens() async throws {
        let id = try served.id("cbr.mp3")
        func token(_ operation: Operation) -> String {
            let others: [(prefix: String, subject: StreamToken.Subject)] = [
                ("/albums/", .album(1)), ("/playlists/", .playlist(1)), ("/stations/", .station(1)),
            ]
            let subject = others.first { operation.example.hasPrefix($0.prefix) }?.subject ?? .track(id)
            return StreamToken(subject: subject, expires: .max).signed(by: served.secrets.tokenSecret)
        }
        let operations = try await operations().filter { $0.needsKey }
        #expect(operations.contains { $0.takesToken } && operations.contains { !$0.takesToken })
        for (number, operation) in operations.enumerated() {
            // A different address per request, because many failures would block one.
            let address = RemoteAddress(host: "10.0.0.\(number)", port: 1)
            let example = operation.example
            let path =
                (Routes.ofOneTrack.contains { example.hasPrefix($0) }
                    ? example.replacing("/1", with: "/\(id)") : example)
                + "&token=\(token(operation))"
            let response = await served.responder.respond(
                to: HTTPRequest(operation.method, path, remoteAddress: address))
            #expect((response.status != .unauthorized) == operation.takesToken, "\(operation.route)")
        }
    }

    @Test("Every operation has a unique ID, a tag and a summary")
    func names() async throws {
        let operations = try await operations()
        let names = operations.compactMap { $0.fields["operationId"] as? String }
        #expect(Set(names).count == operations.count)
        for operation in operations {
            #expect((operation.fields["summary"] as? String)?.isEmpty == false)
            #expect((operation.fields["tags"] as? [String])?.count == 1)
        }
    }

    private struct UnknownSchema: Error { let name: String }

    private static func keys(_ schema: String) throws -> DecodedKeys {
        switch schema {
        case "Track": try DecodedKeys(of: TrackItem.self)
        case "TrackPage": try DecodedKeys(of: CataloguePage<TrackItem>.self)
        case "Album": try DecodedKeys(of: AlbumItem.self)
        case "Artist": try DecodedKeys(of: ArtistItem.self)
        case "Genre": try DecodedKeys(of: GenreItem.self)
        case "Year": try DecodedKeys(of: YearItem.self)
        case "TrackList": try DecodedKeys(of: CatalogueList<TrackItem>.self)
        case "GenreList": try DecodedKeys(of: CatalogueList<GenreItem>.self)
        case "YearList": try DecodedKeys(of: CatalogueList<YearItem>.self)
        case "Playlist": try DecodedKeys(of: PlaylistItem.self)
        case "SmartPlaylistCount": try DecodedKeys(of: SmartPlaylistCount.self)
        case "SmartField": try DecodedKeys(of: SmartFieldItem.self)
        case "CrossfadePlan": try DecodedKeys(of: CrossfadePlan.self)
        case "CrossfadeSide": try DecodedKeys(of: CrossfadePlan.Side.self)
        case "CrossfadeFade": try DecodedKeys(of: CrossfadePlan.Fade.self)
        case "MixOrder": try DecodedKeys(of: MixOrder.self)
        case "MixStep": try DecodedKeys(of: MixOrder.Step.self)
        case "TransitionScore": try DecodedKeys(of: TransitionScore.self)
        case "Health": try DecodedKeys(of: HealthReport.self)
        case "AnalysisCounts": try DecodedKeys(of: AnalysisCounts.self)
        case "NavidromeState": try DecodedKeys(of: NavidromeReport.self)
        case "Profile": try DecodedKeys(of: SmartDJProfile.self)
        case "PendingTrack": try DecodedKeys(of: PendingTrack.self)
        case "TrackLyrics": try DecodedKeys(of: TrackLyrics.self)
        case "LyricsLine": try DecodedKeys(of: LyricsLine.self)
        case "LyricsWord": try DecodedKeys(of: LyricsWord.self)
        case "ListeningState": try DecodedKeys(of: ListeningState.self)
        case "ListeningResults": try DecodedKeys(of: ListeningResults.self)
        case "ListeningResult": try DecodedKeys(of: ListeningResults.Result.self)
        case "ListeningRefusal": try DecodedKeys(of: ListeningResults.Refusal.self)
        case "Play": try DecodedKeys(of: PlayItem.self)
        case "NowPlayingItem": try DecodedKeys(of: NowPlayingItem.self)
        case "UploadReport": try DecodedKeys(of: UploadReport.self)
        case "UploadedFile": try DecodedKeys(of: UploadedFile.self)
        case "UploadFailure": try DecodedKeys(of: UploadFailure.self)
        case "ResumableUpload": try DecodedKeys(of: ResumableUpload.self)
        case "UnavailableFolder": try DecodedKeys(of: UnavailableFolder.self)
        case "RemovalReport": try DecodedKeys(of: RemovalReport.self)
        case "TrashItem": try DecodedKeys(of: TrashItem.self)
        case "TrashPage": try DecodedKeys(of: CataloguePage<TrashItem>.self)
        case "RestoredTrack": try DecodedKeys(of: RestoredTrack.self)
        case "Job": try DecodedKeys(of: JobReport.self)
        case "AnalysisFailureList": try DecodedKeys(of: AnalysisFailureList.self)
        case "JobList": try DecodedKeys(of: JobList.self)
        case "SpectrumArray": try DecodedKeys(of: SpectrumArray.self)
        case "TrackMetadata": try DecodedKeys(of: TrackMetadata.self)
        case "EditResult": try DecodedKeys(of: EditResult.self)
        case "AppPasswordList": try DecodedKeys(of: AppPasswordList.self)
        case "AppPassword": try DecodedKeys(of: AppPasswordItem.self)
        case "ReachableAddress": try DecodedKeys(of: ReachableAddress.self)
        case "NewAppPassword": try DecodedKeys(of: NewAppPassword.self)
        case "Scrobbling": try DecodedKeys(of: ScrobblingReport.self)
        case "ScrobblingService": try DecodedKeys(of: ScrobblingReport.Service.self)
        case "Share": try DecodedKeys(of: ShareItem.self)
        case "SimilarItem": try DecodedKeys(of: SimilarItem.self)
        case "SimilarItems": try DecodedKeys(of: SimilarItems.self)
        case "RadioPage": try DecodedKeys(of: RadioPage.self)
        case "SoundMap": try DecodedKeys(of: SoundMap.self)
        default: throw UnknownSchema(name: schema)
        }
    }

    @Test(
        "Schemas have all properties of their types, and require those that are always present",
        arguments: [
            "Track", "TrackPage", "Album", "Artist", "Playlist", "SmartPlaylistCount", "SmartField",
            "Genre", "Year", "TrackList", "GenreList", "YearList",
            "CrossfadePlan",
            "CrossfadeSide", "CrossfadeFade", "MixOrder", "MixStep", "TransitionScore", "Health", "Profile",
            "PendingTrack", "SpectrumArray",
            "TrackLyrics", "LyricsLine", "LyricsWord",
            "ListeningState", "ListeningResults", "ListeningResult", "ListeningRefusal", "Play",
            "NowPlayingItem",
            "TrackMetadata", "EditResult",
            "UploadReport", "UploadedFile", "UploadFailure", "ResumableUpload", "TrashItem", "TrashPage",
            "RestoredTrack", "UnavailableFolder", "RemovalReport",
            "Job", "JobList", "AnalysisFailureList",
            "AnalysisCounts", "NavidromeState",
            "AppPasswordList", "AppPassword", "ReachableAddress", "NewAppPassword",
            "Scrobbling", "ScrobblingService", "Share",
            "SimilarItem", "SimilarItems", "RadioPage", "SoundMap",
        ])
    func schemas(name: String) async throws {
        let components = try await document()["components"] as? [String: Any]
        let schemas = try #require(components?["schemas"] as? [String: [String: Any]])
        let schema = try #require(schemas[name])
        let properties = Set(try #require(schema["properties"] as? [String: Any]).keys)
        let required = Set(try #require(schema["required"] as? [String]))
        let keys = try Self.keys(name)
        #expect(properties == keys.required.union(keys.optional))
        #expect(required == keys.required)
    }

    @Test("A client with a current copy of the description gets 304")
    func unchanged() async throws {
        let tag = try #require(
            await served.responder.respond(to: HTTPRequest(.get, Routes.openAPI)).fields[.entityTag])
        let again = HTTPRequest(.get, Routes.openAPI, fields: [.ifNoneMatch: tag])
        #expect(await served.responder.respond(to: again).status == .notModified)
    }
}
