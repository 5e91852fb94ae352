/// An answer of the protocol: the element `subsonic-response`.
package struct SubsonicResponse: Sendable, Equatable {
    /// The version of the Subsonic protocol that is answered with.
    package static let protocolVersion = "1.16.1"

    /// Name and version of the server.
    package struct Server: Sendable, Equatable {
        /// The server's name.
        package let type: String
        /// The server's version.
        package let version: String

        /// Names a server.
        package init(type: String, version: String) {
            self.type = type
            self.version = version
        }
    }

    private enum Content: Sendable, Equatable {
        case success(SubsonicObject)
        case failure(SubsonicError)
    }

    private let content: Content

    /// Creates a successful answer without content.
    package static let empty = SubsonicResponse(content: .success(SubsonicObject()))

    private init(content: Content) { self.content = content }

    /// Creates a successful answer with one element.
    package init(_ name: String, _ element: some SubsonicRepresentable) {
        var object = SubsonicObject()
        object.add(name, element)
        content = .success(object)
    }

    /// Creates a successful answer with a list directly in it.
    package init(list name: String, _ items: [some SubsonicRepresentable]) {
        content = .success(SubsonicObject(list: name, items))
    }

    /// Creates a failed answer.
    package init(_ error: SubsonicError) { content = .failure(error) }

    /// Returns the answer in a format.
    package func encoded(as format: SubsonicFormat, by server: Server) -> [UInt8] {
        let response = object(server)
        switch format {
        case .xml:
            return XMLText.document(
                response, name: "subsonic-response", namespace: "http://subsonic.org/restapi")
        case .json: return Self.json(response)
        case .jsonp(let callback): return Array("\(callback)(".utf8) + Self.json(response) + Array(");".utf8)
        }
    }

    private static func json(_ response: SubsonicObject) -> [UInt8] {
        var root = SubsonicObject()
        root.add("subsonic-response", response)
        return JSONText.bytes(root)
    }

    private func object(_ server: Server) -> SubsonicObject {
        var object = SubsonicObject()
        let isSuccess = if case .success = content { true } else { false }
        object.add("status", isSuccess ? "ok" : "failed")
        object.add("version", Self.protocolVersion)
        object.add("type", server.type)
        object.add("serverVersion", server.version)
        object.add("openSubsonic", true)
        switch content {
        case .success(let element): object.add(fieldsOf: element)
        case .failure(let error): object.add("error", error)
        }
        return object
    }
}
