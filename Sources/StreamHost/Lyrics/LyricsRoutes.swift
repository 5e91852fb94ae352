internal import Catalogue
internal import Companion
internal import Foundation
internal import HTTPServer
internal import MusicShared

/// Lyrics of tracks: read from tags and `.lrc` files, and written back there.
///
/// The tag of every answer is the state of all that a track has, so that a change is refused where anything has been changed
/// since.
struct LyricsRoutes: DescribedRoutes {
    let lyrics: LyricsLibrary
    let library: LibraryStore
    /// Told of a track whose lyrics were changed, in its tags or beside it.
    let changed: @Sendable (RelativePath) -> Void

    func add(to routes: some RouteCollection) {
        routes.get(Routes.lyrics) { request in
            let parameters = try ListParameters(request, "relative_path", "source", "language", "all")
            return try answer(request, Self.path(request), parameters, field: "relative_path")
        }
        routes.get(Routes.trackLyrics) { request in
            let parameters = try ListParameters(request, "source", "language", "all", "missing")
            let id: Int = try request.parameters.require("id")
            guard let track = try library.catalogue({ try $0.track(id: id) }),
                let path = RelativePath(text: track.relativePath)
            else {
                throw HTTPError(
                    .notFound, code: "no_such_track", message: "There is no track \(id).", field: "id")
            }
            return try answer(request, path, parameters, field: "id")
        }
        routes.put(Routes.lyrics) { request in
            let parameters = try ListParameters(request, "relative_path", "target")
            let path = try Self.path(request)
            let target = try Self.source(parameters, "target")
            let update = try await request.json(LyricsUpdateContent.self).update
            return try change(request, path) { states throws(LyricsError) in
                try lyrics.update(path, update, source: target, ifState: states)
            }
        }
        routes.delete(Routes.lyrics) { request in
            let parameters = try ListParameters(request, "relative_path", "target", "language")
            let path = try Self.path(request)
            let target = try Self.source(parameters, "target")
            let language = try Self.language(parameters)
            return try change(request, path) { states throws(LyricsError) in
                try lyrics.remove(path, source: target, language: language, ifState: states)
            }
        }
    }

    private func answer(
        _ request: HTTPRequest, _ path: RelativePath, _ parameters: ListParameters, field: String
    ) throws -> HTTPResponse {
        let source = try Self.source(parameters, "source")
        let language = try Self.language(parameters)
        let listsAll: Bool
        switch parameters.text("all") {
        case nil, "false": listsAll = false
        case "true": listsAll = true
        default: throw Self.invalid("all", "all is true or false.")
        }
        let wantsEmpty = try request.wantsEmptyForMissing()
        let finding = try Self.mapped(field: field) { () throws(LyricsError) in try lyrics.find(path) }
        guard let found = finding.lyrics(source: source, language: language, listsAll: listsAll) else {
            if wantsEmpty { return HTTPResponse(.noContent) }
            throw HTTPError(
                .notFound, code: "no_lyrics",
                message: source == nil
                    ? "The track has no lyrics: none in its tags (USLT, SYLT), and no .lrc file beside it."
                    : "The track has no lyrics of this source.", field: field)
        }
        return try .json(found, etag: EntityTag(finding.stateName))
    }

    private func change(
        _ request: HTTPRequest, _ path: RelativePath,
        _ body: ([String]?) throws(LyricsError) -> LyricsLibrary.Change
    ) throws -> HTTPResponse {
        let states = Self.condition(of: request)
        let change = try Self.mapped(field: nil) { () throws(LyricsError) in try body(states) }
        if let edited = change.edited {
            // Where this fails the next pass finds the file.
            _ = try? library.record(edited: [edited])
        }
        changed(path)
        guard let written = change.written else { return HTTPResponse(.noContent) }
        return try .json(written, etag: EntityTag(change.finding.stateName))
    }

    private static func path(_ request: HTTPRequest) throws -> RelativePath {
        let text: String = try request.query.require("relative_path")
        guard let path = RelativePath(text: text) else {
            throw HTTPError(
                .notFound, code: "no_such_track", message: "The music folder has no MP3 of this path.",
                field: "relative_path")
        }
        return path
    }

    private static func source(_ parameters: ListParameters, _ name: String) throws -> LyricsSource? {
        guard let text = parameters.text(name) else { return nil }
        guard let source = LyricsSource(rawValue: text) else {
            let names = LyricsSource.allCases.map(\.rawValue).joined(separator: ", ")
            throw invalid(name, "\(name) is one of \(names).")
        }
        return source
    }

    private static func language(_ parameters: ListParameters) throws -> String? {
        guard let text = parameters.text("language") else { return nil }
        guard text.isLanguageCode else {
            throw invalid("language", "language is a code of three small letters (ISO 639-2).")
        }
        return text
    }

    private static func invalid(_ name: String, _ message: String) -> HTTPError {
        HTTPError(.badRequest, code: "invalid_parameter", message: message, field: name)
    }

    /// The states that a change is meant for, nil for any. Weak tags count as well: those of compressed answers are.
    private static func condition(of request: HTTPRequest) -> [String]? {
        guard let text = request.fields[.ifMatch] else { return nil }
        if text.trimmingCharacters(in: .whitespaces) == "*" { return nil }
        return text.split(separator: ",").compactMap { EntityTag(parsing: $0)?.value }
    }

    private static func mapped<Value>(
        field: String?, _ body: () throws(LyricsError) -> Value
    ) throws -> Value {
        do throws(LyricsError) {
            return try body()
        } catch {
            let status: HTTPStatus =
                switch error.code {
                case .noSuchTrack, .noLyrics: .notFound
                case .stateDiffers: .preconditionFailed
                case .conditionNeeded: .preconditionRequired
                case .readOnly: .conflict
                case .busy: .serviceUnavailable
                case .noSpace: .insufficientStorage
                case .notSynced, .invalidLyrics, .unsupportedTag: .unprocessableContent
                default: .internalServerError
                }
            throw HTTPError(
                status, code: error.code.rawValue, message: error.message, field: error.field ?? field,
                fields: error.code == .busy ? [.retryAfter: "2"] : [:])
        }
    }
}

extension String {
    /// Whether it has the form of a language of ISO 639-2.
    var isLanguageCode: Bool { utf8.count == 3 && utf8.allSatisfy { (0x61...0x7A).contains($0) } }
}
