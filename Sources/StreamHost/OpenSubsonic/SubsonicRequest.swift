internal import Foundation
internal import HTTPServer
internal import OpenSubsonic

/// A request to `/rest` with the parameters of its query and of its form (the extension formPost).
///
/// Parameters that an endpoint does not know are accepted: clients send them.
struct SubsonicRequest: Sendable {
    /// The most bytes of a form: a play queue of 10,000 ids fits.
    private static let formLimit = 1 << 20

    /// The request itself.
    let http: HTTPRequest
    private let parameters: [(name: String, value: String)]

    /// Reads the query, and the form of a POST.
    /// - Throws: `HTTPError` 413 for a form that is too large.
    init(_ request: HTTPRequest) async throws {
        http = request
        var parameters = request.query.all
        let type = ParameterizedValue(request.fields[.contentType] ?? "").value
        if request.method == .post, type == "application/x-www-form-urlencoded" {
            let form = try await request.body.collect(upTo: Self.formLimit)
            parameters += QueryParameters(String(decoding: form, as: UTF8.self)).all
        }
        // SQLite and file names end at NUL, and no tag has one.
        self.parameters = parameters.map { ($0.name, $0.value.filter { $0 != "\0" }) }
    }

    /// The content of a POST as JSON.
    /// - Throws: error 0 for content that is too large or of another form.
    func json<Value: Decodable>(_ type: Value.Type) async throws -> Value {
        guard http.method == .post else {
            throw SubsonicError(.generic, "\"\(endpoint)\" must be a POST with JSON as its content.")
        }
        let content = try await http.body.collect(upTo: Self.formLimit)
        do {
            return try JSONDecoder().decode(type, from: Data(content))
        } catch {
            throw SubsonicError(.generic, "The content must be JSON as the protocol specifies it.")
        }
    }

    /// The endpoint's name, without `.view`.
    var endpoint: String {
        let name = http.parameters["endpoint"] ?? ""
        return name.hasSuffix(".view") ? String(name.dropLast(5)) : name
    }

    /// The first value of a parameter; nil where it is missing.
    func text(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// All values of a parameter.
    func texts(_ name: String) -> [String] { parameters.filter { $0.name == name }.map(\.value) }

    /// The value of a required parameter.
    /// - Throws: error 10 where it is missing.
    func require(_ name: String) throws(SubsonicError) -> String {
        guard let value = text(name) else { throw .missing(name) }
        return value
    }

    /// A whole number; nil where it is missing or empty.
    /// - Throws: error 0 where it is not a number.
    func integer(_ name: String) throws(SubsonicError) -> Int? {
        guard let text = text(name), !text.isEmpty else { return nil }
        guard let value = Int(text) else {
            throw SubsonicError(.generic, "\"\(name)\" must be a whole number.")
        }
        return value
    }

    /// A required whole number.
    /// - Throws: error 10 where it is missing, error 0 where it is not a number.
    func requireInteger(_ name: String) throws(SubsonicError) -> Int {
        guard let value = try integer(name) else { throw .missing(name) }
        return value
    }

    /// A number of items: at least 0, and no more than a limit.
    func count(_ name: String, standard: Int, limit: Int) throws(SubsonicError) -> Int {
        min(max(0, try integer(name) ?? standard), limit)
    }

    /// An offset in a list.
    func offset(_ name: String = "offset") throws(SubsonicError) -> Int {
        min(max(0, try integer(name) ?? 0), Int(Int32.max))
    }

    /// A flag; nil where it is missing or neither true nor false.
    func flag(_ name: String) -> Bool? {
        switch text(name)?.lowercased() {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }

    /// A required id.
    /// - Throws: error 10 where it is missing, 70 where there cannot be such an item.
    func id(_ name: String = "id") throws(SubsonicError) -> ItemID { try Self.id(try require(name)) }

    /// All ids of a parameter.
    /// - Throws: error 70 where there cannot be such an item.
    func ids(_ name: String = "id") throws(SubsonicError) -> [ItemID] {
        var ids: [ItemID] = []
        for text in texts(name) where !text.isEmpty { ids.append(try Self.id(text)) }
        return ids
    }

    /// The track of a required id.
    /// - Throws: error 10 where it is missing, 70 where it is not a song's.
    func trackID(_ name: String = "id") throws(SubsonicError) -> Int {
        guard case .track(let id) = try id(name) else { throw .noSuch("song", try require(name)) }
        return id
    }

    /// The track that `mediaId` names, with `mediaType` saying that it is a song.
    /// - Throws: error 10 where a parameter is missing, 70 where it is not a song's.
    func mediaID() throws(SubsonicError) -> Int {
        let id = try trackID("mediaId")
        let type = try require("mediaType")
        guard type == "song" else {
            throw SubsonicError(.notFound, "\"mediaType\" must be \"song\": there are no others here.")
        }
        return id
    }

    /// The tracks of all ids of a parameter.
    /// - Throws: error 70 where one is not a song's.
    func trackIDs(_ name: String) throws(SubsonicError) -> [Int] {
        var tracks: [Int] = []
        for id in try ids(name) {
            guard case .track(let track) = id else { throw .noSuch("song", id.description) }
            tracks.append(track)
        }
        return tracks
    }

    private static func id(_ text: String) throws(SubsonicError) -> ItemID {
        guard let id = ItemID(text) else { throw .noSuch("item", text) }
        return id
    }
}

extension SubsonicError {
    /// Creates the error for an id that nothing has.
    static func noSuch(_ kind: String, _ id: String) -> SubsonicError {
        SubsonicError(.notFound, "There is no \(kind) with the id \"\(id.prefix(100))\".")
    }
}
