internal import Foundation
public import MusicShared
internal import Synchronization

/// The way to one host, by whichever of its addresses answers.
///
/// Requests go to the address that answered last. Where none comes through there, all addresses are tried again, and a request
/// that changes nothing is repeated at the one that answers.
public final class HostConnection: Sendable {
    /// The host.
    public let host: KnownHost
    private let transport: any Transport
    private let current = Mutex<HostAddress?>(nil)

    /// Knows the way; asks nothing yet.
    public init(_ host: KnownHost, transport: any Transport) {
        self.host = host
        self.transport = transport
    }

    /// The address that answered last; nil before one did.
    public var address: HostAddress? { current.withLock { $0 } }

    /// Finds an address that answers, checks the key and the version of the protocol, and goes that way from then on.
    ///
    /// Each address has a short start before the next is tried beside it; the first that answers rightly is taken.
    /// - Throws: what the last address failed with; a wrong key or version of any rather than silence of all.
    @discardableResult
    public func connect() async throws(ClientError) -> AuthResponse {
        guard !host.addresses.isEmpty else {
            throw ClientError(.noHost, "\(host.name) has no address.")
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
        throw telling ?? ClientError(.noHost, "\(host.name) has no address.")
    }

    /// What came of one address. No tuple with a `Result`: optimised, Swift 6.3 takes such elements of a group for its end.
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

    /// How long an address has for itself before the next is tried too.
    static let headStart = Duration.milliseconds(250)

    private func authenticate(at address: HostAddress) async throws(ClientError) -> AuthResponse {
        var request = self.request(Routes.auth, at: address)
        request.timeouts = TransportTimeouts(connect: 5, response: 10, idle: 10, whole: 20)
        let answer: AuthResponse
        do throws(ClientError) {
            answer = try await Self.decode(send(request))
        } catch {
            // A server of another kind has no such path, or no such answer.
            throw error.code == .notFound
                ? ClientError(.notAHost, "\(address) is no music host.", status: error.status) : error
        }
        guard answer.protocolVersion == StreamingConstants.protocolVersion else {
            throw ClientError(
                .versionMismatch,
                "\(answer.hostName) speaks version \(answer.protocolVersion) of the protocol, this program "
                    + "version \(StreamingConstants.protocolVersion).")
        }
        return answer
    }

    /// Whether the host is up, as quickly as can be told.
    public func isHealthy() async -> Bool {
        var request = TransportRequest("")
        request.timeouts = TransportTimeouts(connect: 3, response: 5, idle: 5, whole: 5)
        do {
            _ = try await fetch(Routes.health, base: request)
            return true
        } catch { return false }
    }

    /// A request for something that the host has, with its key, at the address that answered last.
    /// - Parameters:
    ///   - path: begins with a slash; may have a query already.
    ///   - query: names and values that are added to it. Those without a value are left out.
    public func request(_ path: String, query: [(String, String?)] = []) -> TransportRequest? {
        (address ?? host.addresses.first).map { request(path, query: query, at: $0) }
    }

    private func request(
        _ path: String, query: [(String, String?)] = [], at address: HostAddress,
        base: TransportRequest = TransportRequest("")
    ) -> TransportRequest {
        var request = base
        request.address = address.address(of: path, query: query)
        // What is meant for the host is not shown to others.
        request.redirectionLimit = 0
        if let key = host.key { request.fields["authorization"] = "Bearer \(key)" }
        return request
    }

    /// Asks for something that the host has.
    /// - Parameters:
    ///   - path: begins with a slash; may have a query already.
    ///   - query: names and values that are added to it. Those without a value are left out.
    ///   - base: all else of the request.
    /// - Returns: an answer of 2xx, 304 or 416.
    /// - Throws: ``ClientError`` for all other answers, and where none came at any address.
    public func fetch(
        _ path: String, query: [(String, String?)] = [], base: TransportRequest = TransportRequest("")
    ) async throws(ClientError) -> TransportResponse {
        if address == nil { try await connect() }
        guard let first = address else { throw ClientError(.noHost, "\(host.name) has no address.") }
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

    /// Asks for something that comes as JSON.
    /// - Throws: as ``fetch(_:query:base:)``, and ``ClientError/Code/notAHost`` where the answer is not of that form.
    public func value<Value: Decodable & Sendable>(
        _ path: String, query: [(String, String?)] = []
    ) async throws(ClientError) -> Value {
        var base = TransportRequest("")
        base.acceptsCompression = true
        return try await Self.decode(fetch(path, query: query, base: base))
    }

    private func send(_ request: TransportRequest) async throws(ClientError) -> TransportResponse {
        let response: TransportResponse
        do throws(TransportError) {
            response = try await transport.fetch(request)
        } catch { throw ClientError(error) }
        switch response.status {
        case 200..<300, 304, 416: return response
        case 401, 403:
            throw ClientError(.unauthorized, "\(host.name) wants another key.", status: response.status)
        default:
            let message = await Self.message(response) ?? "\(host.name) answers \(response.status)."
            throw ClientError(
                response.status == 404 ? .notFound : .refused, message, status: response.status)
        }
    }

    /// The most bytes of an answer that is read as a whole.
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
            throw ClientError(.notAHost, "The answer is none of a music host.", status: response.status)
        }
    }

    /// What the host says of an error.
    private static func message(_ response: TransportResponse) async -> String? {
        struct Report: Decodable {
            struct Fault: Decodable { var message: String }
            var error: Fault
        }
        guard let bytes = try? await response.body.collect(upTo: 1 << 16) else { return nil }
        return try? JSONDecoder().decode(Report.self, from: Data(bytes)).error.message
    }
}
