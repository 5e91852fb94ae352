internal import Foundation
public import MusicShared
internal import Synchronization

/// A connection to one host by whichever of its addresses responds.
///
/// Requests go to the address that responded last. If it stops responding, all addresses are tried again, and safe requests
/// (GET and HEAD) are retried at the one that responds.
public final class HostConnection: Sendable {
    /// The host.
    public let host: KnownHost
    private let transport: any Transport
    private let current = Mutex<HostAddress?>(nil)

    /// Creates a connection; sends no request yet.
    public init(_ host: KnownHost, transport: any Transport) {
        self.host = host
        self.transport = transport
    }

    /// The address that responded last; nil before the first response.
    public var address: HostAddress? { current.withLock { $0 } }

    /// Finds an address that responds, checks the API key and the protocol version, and uses that address from then on.
    ///
    /// Each address gets a short head start before the next is tried in parallel; the first valid response wins.
    /// - Throws: a wrong API key or protocol version reported by any address, otherwise the last failure.
    @discardableResult
    public func connect() async throws(ClientError) -> AuthResponse {
        guard !host.addresses.isEmpty else {
            throw ClientError(.noHost, "\(host.name) has no addresses.")
        }
        let attempts = await withTaskGroup(of: Attempt.self) { group in
            for (place, address) in host.addresses.enumerated() {
                group.addTask {
                    try? await Task.sleep(for: Self.headStart * place)
                    return await self.attempt(address)
                }
            }
            var attempts: [Attempt] = []
            while let attempt = await group.next() {
                attempts.append(attempt)
                if attempt.answer != nil { break }
            }
            group.cancelAll()
            return attempts
        }
        if let last = attempts.last, let answer = last.answer {
            current.withLock { $0 = last.address }
            return answer
        }
        let failures = attempts.compactMap(\.failure)
        let telling = failures.first { $0.transport == nil } ?? failures.last
        throw telling ?? ClientError(.noHost, "\(host.name) has no addresses.")
    }

    /// The result of one address. Not a tuple with a `Result`: with optimisation, Swift 6.3 mistakes such an element of a
    /// task group for the end of the group.
    private struct Attempt: Sendable {
        let address: HostAddress
        var answer: AuthResponse?
        var failure: ClientError?
    }

    private func attempt(_ address: HostAddress) async -> Attempt {
        do throws(ClientError) {
            return Attempt(address: address, answer: try await authenticate(at: address))
        } catch {
            return Attempt(address: address, failure: error)
        }
    }

    /// Head start of an address before the next one is tried as well.
    static let headStart = Duration.milliseconds(250)

    private func authenticate(at address: HostAddress) async throws(ClientError) -> AuthResponse {
        var request = self.request(Routes.auth, at: address)
        request.timeouts = TransportTimeouts(connect: 4, response: 10, idle: 10, whole: 20)
        let answer: AuthResponse
        do throws(ClientError) {
            answer = try await Self.decode(send(request))
        } catch {
            // Another kind of server has no such path, or returns something else.
            throw error.code == .notFound
                ? ClientError(.notAHost, "\(address) is not a music host.", status: error.status) : error
        }
        guard answer.protocolVersion == StreamingConstants.protocolVersion else {
            throw ClientError(
                .versionMismatch,
                "\(answer.hostName) uses protocol version \(answer.protocolVersion), but this program uses "
                    + "version \(StreamingConstants.protocolVersion).")
        }
        return answer
    }

    /// Exchanges the password of an account for an app password, which a ``KnownHost`` keeps as its key. It has the rights of
    /// the account, and can be revoked on the host by itself.
    /// - Parameters:
    ///   - name: the account's name; case does not matter.
    ///   - client: names the app password in the account's list.
    /// - Throws: ``ClientError/Code/unauthorized`` for a wrong name or password, otherwise the last failure.
    public func signIn(
        name: String, password: String, client: String
    ) async throws(ClientError) -> SignInResponse {
        let content = SignInRequest(name: name, password: password, client: client)
        var base = TransportRequest(
            "", method: "POST", fields: ["content-type": "application/json"],
            body: (try? JSONEncoder().encode(content)).map { [UInt8]($0) })
        base.timeouts = TransportTimeouts(connect: 4, response: 10, idle: 10, whole: 20)
        var failure = ClientError(.noHost, "\(host.name) has no addresses.")
        for address in host.addresses {
            do throws(ClientError) {
                let answer: SignInResponse = try await Self.decode(
                    send(
                        request(Routes.signIn, at: address, base: base),
                        unauthorized: "\(host.name) rejected the name or the password."))
                current.withLock { $0 = address }
                return answer
            } catch {
                failure = error
                // Another address would say the same.
                guard error.transport != nil else { break }
            }
        }
        throw failure
    }

    /// Returns whether the host responds to a health check within a few seconds.
    public func isHealthy() async -> Bool {
        var request = TransportRequest("")
        request.timeouts = TransportTimeouts(connect: 3, response: 5, idle: 5, whole: 5)
        do {
            _ = try await fetch(Routes.health, base: request)
            return true
        } catch { return false }
    }

    /// Returns a request for a resource of the host, with the API key, at the address that responded last.
    /// - Parameters:
    ///   - path: starts with a slash; may already contain a query.
    ///   - query: names and values to append; items without a value are omitted.
    public func request(_ path: String, query: [(String, String?)] = []) -> TransportRequest? {
        (address ?? host.addresses.first).map { request(path, query: query, at: $0) }
    }

    private func request(
        _ path: String, query: [(String, String?)] = [], at address: HostAddress,
        base: TransportRequest = TransportRequest("")
    ) -> TransportRequest {
        var request = base
        request.address = address.address(of: path, query: query)
        // Do not follow redirects: the request and its key are meant for this host only.
        request.redirectionLimit = 0
        if let key = host.key { request.fields["authorization"] = "Bearer \(key)" }
        return request
    }

    /// Requests a resource of the host.
    /// - Parameters:
    ///   - path: starts with a slash; may already contain a query.
    ///   - query: names and values to append; items without a value are omitted.
    ///   - base: all other properties of the request.
    /// - Returns: a response with status 2xx, 304 or 416.
    /// - Throws: ``ClientError`` for any other status, or if no address responded.
    public func fetch(
        _ path: String, query: [(String, String?)] = [], base: TransportRequest = TransportRequest("")
    ) async throws(ClientError) -> TransportResponse {
        if address == nil { try await connect() }
        guard let first = address else { throw ClientError(.noHost, "\(host.name) has no addresses.") }
        do throws(ClientError) {
            return try await send(request(path, query: query, at: first, base: base))
        } catch {
            let isRepeatable = base.method == "GET" || base.method == "HEAD"
            guard isRepeatable, error.transport?.isTransient == true, host.addresses.count > 1 else {
                throw error
            }
            try await connect()
            guard let second = address, second != first else { throw error }
            return try await send(request(path, query: query, at: second, base: base))
        }
    }

    /// Requests a resource and decodes it from JSON.
    /// - Throws: the errors of ``fetch(_:query:base:)``, and ``ClientError/Code/notAHost`` if the response cannot be decoded.
    public func value<Value: Decodable & Sendable>(
        _ path: String, query: [(String, String?)] = []
    ) async throws(ClientError) -> Value {
        var base = TransportRequest("")
        base.acceptsCompression = true
        return try await Self.decode(fetch(path, query: query, base: base))
    }

    /// Sends a value as JSON and decodes the answer.
    /// - Parameters:
    ///   - method: the method of the request, such as `PATCH`.
    ///   - content: what is sent.
    /// - Throws: the errors of ``fetch(_:query:base:)``, and ``ClientError/Code/notAHost`` if the response cannot be decoded.
    public func value<Value: Decodable & Sendable>(
        _ path: String, method: String, sending content: some Encodable & Sendable
    ) async throws(ClientError) -> Value {
        var base = TransportRequest("", method: method)
        do {
            base.body = Array(try JSONEncoder().encode(content))
        } catch {
            throw ClientError(.refused, "The request cannot be written as JSON: \(error)")
        }
        base.fields["content-type"] = "application/json"
        return try await Self.decode(fetch(path, base: base))
    }

    /// - Parameter unauthorized: the message for a request that the host does not authorise.
    private func send(
        _ request: TransportRequest, unauthorized: String? = nil
    ) async throws(ClientError) -> TransportResponse {
        let response: TransportResponse
        do throws(TransportError) {
            response = try await transport.fetch(request)
        } catch { throw ClientError(error) }
        switch response.status {
        case 200..<300, 304, 416: return response
        case 401:
            throw ClientError(
                .unauthorized, unauthorized ?? "\(host.name) rejected the API key or app password.",
                status: response.status)
        case 403:
            // The account is known, but lacks the role that the request needs.
            let message = await Self.message(response)
            throw ClientError(
                .unauthorized,
                unauthorized ?? message ?? "\(host.name) does not allow this account to do that.",
                status: response.status)
        default:
            let message = await Self.message(response) ?? "\(host.name) returned status \(response.status)."
            throw ClientError(
                response.status == 404 ? .notFound : .refused, message, status: response.status)
        }
    }

    /// Maximum size in bytes of a response that is read into memory.
    private static let answerLimit = 64 << 20

    private static func decode<Value: Decodable>(
        _ response: TransportResponse
    ) async throws(ClientError) -> Value {
        let bytes: [UInt8]
        do throws(TransportError) {
            bytes = try await response.body.collect(upTo: answerLimit)
        } catch { throw ClientError(error) }
        do {
            return try JSONDecoder().decode(Value.self, from: Data(bytes))
        } catch {
            throw ClientError(.notAHost, "The response is not from a music host.", status: response.status)
        }
    }

    /// Returns the message of an error response.
    private static func message(_ response: TransportResponse) async -> String? {
        struct Report: Decodable {
            struct Fault: Decodable { var message: String }
            var error: Fault
        }
        guard let bytes = try? await response.body.collect(upTo: 1 << 16) else { return nil }
        return try? JSONDecoder().decode(Report.self, from: Data(bytes)).error.message
    }
}
