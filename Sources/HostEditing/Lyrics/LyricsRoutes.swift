internal import APIDescription
internal import Catalogue
internal import Foundation
package import HTTPServer
package import LibraryStore
package import MusicFiles
internal import MusicShared

/// Reads lyrics of tracks from tags and `.lrc` files, and writes them back.
///
/// The ETag of every response covers all lyrics of the track, so that a conditional change is rejected if any
/// of them have changed.
package struct LyricsRoutes: DescribedRoutes {
    let lyrics: LyricsLibrary
    let library: LibraryStore
    /// Called with the path of a track whose lyrics were changed, in its tags or in an `.lrc` file.
    let changed: @Sendable (RelativePath) -> Void

    /// Memberwise initializer.
    package init(
        lyrics: LyricsLibrary, library: LibraryStore, changed: @escaping @Sendable (RelativePath) -> Void
    ) {
        self.lyrics = lyrics
        self.library = library
        self.changed = changed
    }

    package func add(to routes: some RouteCollection) {
        routes.get(Routes.lyrics) { request in
            try answer(request, Self.path(request), field: "relative_path")
        }
        routes.get(Routes.trackLyrics) { request in
            let id: Int = try request.parameters.require("id")
            guard let track = try library.catalogue({ try $0.track(id: id) }),
                let path = RelativePath(text: track.relativePath)
            else {
                throw APIError.noSuchTrack("There is no track \(id).", field: "id")
            }
            return try answer(request, path, field: "id")
        }
        routes.put(Routes.lyrics) { request in
            let path = try Self.path(request)
            let target = try request.value(Self.target)
            let update = try await Self.update(request)
            return try change(request, path) { states throws(LyricsError) in
                try lyrics.update(path, update, source: target, ifState: states)
            }
        }
        routes.delete(Routes.lyrics) { request in
            let path = try Self.path(request)
            let target = try request.value(Self.target)
            let language = try request.value(Self.removedLanguage)
            return try change(request, path) { states throws(LyricsError) in
                try lyrics.remove(path, source: target, language: language, ifState: states)
            }
        }
    }

    private func answer(
        _ request: HTTPRequest, _ path: RelativePath, field: String
    ) throws -> HTTPResponse {
        let source = try request.value(Self.source)
        let language = try request.value(Self.language)
        let listsAll = try request.value(Self.listsAll)
        let format = try Self.format(of: request)
        let wantsEmpty = try request.value(Query.emptyForMissing)
        if path.sheetTrack != nil {
            if wantsEmpty { return HTTPResponse(.noContent) }
            throw APIError.noLyrics(
                "The track is a part of a file, from a cue sheet, and has no lyrics of its own.", field: field
            )
        }
        let finding = try Self.mapped(field: field) { () throws(LyricsError) in try lyrics.find(path) }
        if format == .lrc {
            let text = try Self.mapped(field: field) { () throws(LyricsError) in
                try finding.lrc(source: source, language: language)
            }
            if let text {
                var response = HTTPResponse.text(text)
                response.fields[.cacheControl] = "no-cache"
                response.fields[.entityTag] = EntityTag(finding.stateName).description
                return Self.negotiated(response)
            }
        }
        guard let found = finding.lyrics(source: source, language: language, listsAll: listsAll) else {
            if wantsEmpty { return HTTPResponse(.noContent) }
            throw APIError.noLyrics(
                source == nil
                    ? "The track has no lyrics: none in its tags (USLT, SYLT, LYRICS), and no .lrc file next to it."
                    : "The track has no lyrics from this source.", field: field)
        }
        return Self.negotiated(try .json(found, etag: EntityTag(finding.stateName)))
    }

    /// Returns the requested format: by the parameter, or by accepting plain text but not JSON.
    private static func format(of request: HTTPRequest) throws -> Format {
        if let format = try request.value(format) { return format }
        let accepted = (request.fields[.accept] ?? "").lowercased()
        return accepted.contains(textType) && !accepted.contains("application/json") ? .lrc : .json
    }

    private static func negotiated(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        response.fields.add(token: "Accept", to: .vary)
        return response
    }

    /// Media type of plain LRC.
    private static let textType = "text/plain"

    /// Parses the request body: JSON, or LRC as plain text.
    private static func update(_ request: HTTPRequest) async throws -> LyricsUpdate {
        let type = ParameterizedValue(request.fields[.contentType] ?? "")
        guard type.value == textType else {
            return try await request.json(LyricsUpdateContent.self).update
        }
        let bytes = try await request.body.collect(upTo: 1 << 20)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw APIError.invalidLyrics("The text is not UTF-8.", field: "lrc")
        }
        return LyricsUpdate(lines: nil, lrc: text, offsetSeconds: nil, language: nil)
    }

    private func change(
        _ request: HTTPRequest, _ path: RelativePath,
        _ body: ([String]?) throws(LyricsError) -> LyricsLibrary.Change
    ) throws -> HTTPResponse {
        let states = Self.condition(of: request)
        let change = try Self.mapped(field: nil) { () throws(LyricsError) in try body(states) }
        if let edited = change.edited {
            // If this fails, the next scan finds the file.
            _ = try? library.record(edited: [edited])
        }
        changed(path)
        guard let written = change.written else { return HTTPResponse(.noContent) }
        return try .json(written, etag: EntityTag(change.finding.stateName))
    }

    private static func path(_ request: HTTPRequest) throws -> RelativePath {
        let text = try request.value(Query.relativePath)
        guard let path = RelativePath(text: text) else {
            throw APIError.noSuchTrack(
                "There is no music file at this path in the music folder.", field: "relative_path")
        }
        return path
    }

    /// Parses `If-Match`: the states that the change applies to, nil for any. Weak tags are accepted, because
    /// compressed responses have them.
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
            let kind: APIError =
                switch error.code {
                case .noSuchTrack: .noSuchTrack
                case .noLyrics: .noLyrics
                case .stateDiffers: .changedMeanwhile
                case .conditionNeeded: .preconditionRequired
                case .readOnly: .readOnly
                case .busy: .busy
                case .noSpace: .noSpace
                case .notSynced: .notSynced
                case .invalidLyrics: .invalidLyrics
                case .unsupportedTag: .unsupportedTag
                default: .systemFailed
                }
            throw kind(
                error.message, field: error.field ?? field,
                fields: error.code == .busy ? [.retryAfter: "2"] : [:])
        }
    }
}

extension String {
    /// Whether the string has the form of an ISO 639-2 language code.
    var isLanguageCode: Bool { utf8.count == 3 && utf8.allSatisfy { (0x61...0x7A).contains($0) } }
}
