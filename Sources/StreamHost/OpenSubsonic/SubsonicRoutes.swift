internal import APIDescription
internal import Companion
internal import HostAccounts
internal import HTTPServer
internal import LibraryStore
internal import MusicShared
internal import OpenSubsonic
internal import SQLiteDatabase
internal import Threads

/// The answer of an endpoint.
enum SubsonicAnswer: Sendable {
    /// An element of the protocol.
    case response(SubsonicResponse)
    /// Audio, a picture or an address.
    case http(HTTPResponse)
}

extension SubsonicAnswer {
    /// Success without content.
    static let empty = SubsonicAnswer.response(.empty)

    /// One element of the protocol.
    static func element(_ name: String, _ element: some SubsonicRepresentable) -> SubsonicAnswer {
        .response(SubsonicResponse(name, element))
    }
}

/// A request with the account that it signed in to.
struct SubsonicCall: Sendable {
    let request: SubsonicRequest
    let account: Account
    /// The app password that it signed in with.
    let appPassword: AppPasswords.SignIn
}

/// A group of endpoints.
protocol SubsonicEndpoints: Sendable {
    typealias Handler = @Sendable (SubsonicCall) async throws -> SubsonicAnswer

    /// The handlers by endpoint name.
    var handlers: [String: Handler] { get }
}

/// The OpenSubsonic API below `/rest/`.
///
/// Its specification is the protocol's own, not the host's OpenAPI document: answers have HTTP status 200 with the protocol's
/// errors, and unknown parameters are accepted.
struct SubsonicRoutes: Sendable {
    /// The routes' pattern, for GET and POST.
    static let pattern = "/rest/:endpoint"

    /// The roles that endpoints need, where it is not that of a listener.
    private static let roles: [String: AccountRole] = [
        "getUsers": .owner, "createUser": .owner, "updateUser": .owner, "deleteUser": .owner,
        "startScan": .owner, "createInternetRadioStation": .owner, "updateInternetRadioStation": .owner,
        "deleteInternetRadioStation": .owner,
    ]

    private let access: SubsonicAccess
    private let server: SubsonicResponse.Server
    private let groups: @Sendable (_ accountID: Int) -> [any SubsonicEndpoints]
    /// The handlers of each account by endpoint name, which read and change the data of this account only.
    private let handlers = Memo<Int, [String: SubsonicEndpoints.Handler]>(capacity: 1_000)

    /// - Parameters:
    ///   - version: the program's name and version.
    ///   - groups: returns the endpoints that need an account, for the account with an id.
    init(
        access: SubsonicAccess, version: String,
        groups: @escaping @Sendable (_ accountID: Int) -> [any SubsonicEndpoints]
    ) {
        self.access = access
        // "stream-host 1.2.3": the protocol has a field for each.
        let words = version.split(separator: " ")
        server = SubsonicResponse.Server(
            type: "audio-companion", version: words.count > 1 ? String(words[1]) : version)
        self.groups = groups
    }

    /// Names of the endpoints that need an account.
    var endpoints: [String] { handlers(of: Account.mainID).keys.sorted() }

    /// Adds the routes.
    func add(to routes: some RouteCollection) {
        routes.get(Self.pattern) { try await answer($0) }
        routes.post(Self.pattern) { try await answer($0) }
    }

    private func answer(_ http: HTTPRequest) async throws -> HTTPResponse {
        var format = SubsonicFormat.xml
        do {
            let request = try await SubsonicRequest(http)
            guard let wanted = SubsonicFormat(request.text("f"), callback: request.text("callback")) else {
                format = .json
                throw SubsonicError(
                    .missingParameter,
                    "f=jsonp requires \"callback\": a JavaScript name of up to 100 characters."
                )
            }
            format = wanted
            switch try await respond(to: request) {
            case .http(let response): return response
            case .response(let response): return encoded(response, format)
            }
        } catch {
            guard let failure = Self.failure(error) else { throw error }
            var response = encoded(SubsonicResponse(failure.error), format)
            response.status = failure.status
            return response
        }
    }

    private func respond(to request: SubsonicRequest) async throws -> SubsonicAnswer {
        let name = request.endpoint
        if name == "getOpenSubsonicExtensions" { return .response(SubsonicExtensions.response) }
        try Self.checkVersion(request)
        let call = try access.call(request)
        guard let handler = handlers(of: call.account.id)[name] else { throw Self.missing(name) }
        if let role = Self.roles[name], call.account.role < role {
            throw SubsonicError(
                .notAuthorized,
                "\"\(name)\" requires the role \(role.rawValue), which the account \"\(call.account.name)\" "
                    + "does not have.")
        }
        return try await handler(call)
    }

    private func handlers(of accountID: Int) -> [String: SubsonicEndpoints.Handler] {
        handlers.valueMadeOnce(for: accountID) {
            groups(accountID).reduce(into: [:]) { all, group in
                all.merge(group.handlers) { first, _ in first }
            }
        }
    }

    private func encoded(_ response: SubsonicResponse, _ format: SubsonicFormat) -> HTTPResponse {
        HTTPResponse(
            fields: [
                .contentType: format.mediaType, .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
            ], body: .bytes(response.encoded(as: format, by: server)))
    }

    /// Refuses clients of another major version of the protocol; one that names none is let in.
    private static func checkVersion(_ request: SubsonicRequest) throws(SubsonicError) {
        guard let major = request.text("v")?.split(separator: ".").first.flatMap({ Int($0) }), major != 1
        else { return }
        throw major < 1
            ? SubsonicError(
                .clientTooOld, "Incompatible Subsonic REST protocol version. Client must upgrade.")
            : SubsonicError(
                .serverTooOld, "Incompatible Subsonic REST protocol version. Server must upgrade.")
    }

    // MARK: - Errors

    private static func missing(_ name: String) -> any Error {
        if SubsonicExtensions.unsupported.contains(name) {
            return SubsonicError(.generic, "\"\(name)\" is not implemented by this server.")
        }
        // With HTTP's status as well, so that clients that probe for endpoints see it.
        return SubsonicFailure(
            error: SubsonicError(.notFound, "There is no endpoint \"\(name.prefix(100))\"."),
            status: .notFound)
    }

    /// The protocol's form of an error; nil for one that the server itself has to report.
    private static func failure(_ error: any Error) -> (error: SubsonicError, status: HTTPStatus)? {
        switch error {
        case let error as SubsonicError: return (error, .ok)
        case let error as SubsonicFailure: return (error.error, error.status)
        case let error as HTTPError:
            return (
                SubsonicError(error.status == .notFound ? .notFound : .generic, error.message), .ok
            )
        case let error as StoreError:
            let code: SubsonicError.Code =
                switch error.code {
                case .notFound, .noSuchTrack, .noSuchAccount: .notFound
                case .notOwner, .mainAccount, .smartPlaylist: .notAuthorized
                default: .generic
                }
            return (SubsonicError(code, error.message), .ok)
        case is SharedListeningError: return (SubsonicError(.generic, APIError.listeningAway.meaning), .ok)
        case let error as DatabaseError where error.code == .busy:
            return (SubsonicError(.generic, "The library is locked by another program. Try again."), .ok)
        default: return nil
        }
    }
}

/// An error that HTTP's status reports, too. All other errors of the protocol have the status 200.
struct SubsonicFailure: Error {
    let error: SubsonicError
    let status: HTTPStatus
}
