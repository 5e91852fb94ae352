package import StreamClient
internal import Synchronization

/// A simulated server and network, with configurable speed, outages and faults.
package final class SimulatedServer: Transport {
    package struct Resource: Sendable {
        package var bytes: [UInt8]
        package var type: String
        package var hasRanges: Bool
        package var fields: TransportFields = [:]
        /// Whether the length is not announced.
        package var isEndless = false
        /// The status returned instead of the resource; nil for the resource.
        package var status: Int?

        package init(bytes: [UInt8], type: String = "audio/mpeg", hasRanges: Bool = true) {
            self.bytes = bytes
            self.type = type
            self.hasRanges = hasRanges
        }
    }

    /// The behaviour of an unreachable server as seen by a client.
    package enum Outage: Sendable {
        /// The connection is refused.
        case refused
        /// No response: SYN packets are repeated after 1, 3 and 7 s (RFC 6298) until the client times out.
        case silent
        /// An intermediary accepts the connection and closes it without a response.
        case closed
    }

    package enum Fault: Sendable {
        /// The whole response.
        case complete
        /// A response with this status.
        case status(Int)
        /// No more data after the given number of bytes, until the client times out.
        case stall(afterBytes: Int)
        /// The connection is closed after the given number of bytes.
        case cut(afterBytes: Int)
    }

    package struct Request: Sendable {
        package let time: Double
        package let address: String
        package let range: TransportRange?
    }

    private struct State {
        var resources: [String: Resource] = [:]
        var bitsPerSecond: Double
        var isOnline = true
        var outage = Outage.refused
        var faults: [Fault] = []
        var requests: [Request] = []
        var sentBytes = 0
    }

    private static let pieceSize = 4096
    private static let latency = 0.02

    private let state: Mutex<State>
    private let clock: PlaybackClock

    package init(clock: PlaybackClock, bitsPerSecond: Double = 5_000_000) {
        self.clock = clock
        state = Mutex(State(bitsPerSecond: bitsPerSecond))
    }

    package func serve(_ address: String, _ resource: Resource) {
        state.withLock { $0.resources[address] = resource }
    }

    package func serve(_ address: String, text: String, type: String) {
        serve(address, Resource(bytes: Array(text.utf8), type: type))
    }

    package var isOnline: Bool {
        get { state.withLock { $0.isOnline } }
        set { state.withLock { $0.isOnline = newValue } }
    }

    /// The behaviour while the server is unreachable.
    package var outage: Outage {
        get { state.withLock { $0.outage } }
        set { state.withLock { $0.outage = newValue } }
    }

    package var bitsPerSecond: Double {
        get { state.withLock { $0.bitsPerSecond } }
        set { state.withLock { $0.bitsPerSecond = newValue } }
    }

    /// Makes the next requests fail, one after the other.
    package func fail(_ faults: Fault...) { state.withLock { $0.faults += faults } }

    package var requests: [Request] { state.withLock { $0.requests } }
    package var sentBytes: Int { state.withLock { $0.sentBytes } }

    package func fetch(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        state.withLock {
            $0.requests.append(
                Request(time: clock.seconds, address: request.address, range: request.range))
        }
        await pause(Self.latency)
        try await connect(seconds: request.timeouts.connect)
        let (isOnline, fault, resource) = state.withLock { state -> (Bool, Fault?, Resource?) in
            guard state.isOnline else { return (false, nil, nil) }
            let fault = state.faults.isEmpty ? nil : state.faults.removeFirst()
            return (true, fault, state.resources[request.address])
        }
        guard isOnline else {
            await pause(0.2)
            throw TransportError(.unreachable, "connection refused")
        }
        if case .status(let status) = fault { return answer(status, [], [:], request, nil) }
        guard let resource else { return answer(404, [], [:], request, nil) }
        if let status = resource.status { return answer(status, [], [:], request, nil) }
        var fields = resource.fields
        fields["content-type"] = resource.type
        if resource.isEndless { return answer(200, resource.bytes[...], fields, request, fault) }
        let total = resource.bytes.count
        guard resource.hasRanges else {
            fields["content-length"] = "\(total)"
            return answer(200, resource.bytes[...], fields, request, fault)
        }
        fields["accept-ranges"] = "bytes"
        guard let range = request.range else {
            fields["content-length"] = "\(total)"
            return answer(200, resource.bytes[...], fields, request, fault)
        }
        guard range.first < total else {
            fields["content-range"] = "bytes */\(total)"
            return answer(416, [], fields, request, fault)
        }
        let last = min(range.last ?? .max, total - 1)
        fields["content-range"] = "bytes \(range.first)-\(last)/\(total)"
        fields["content-length"] = "\(last - range.first + 1)"
        return answer(206, resource.bytes[range.first...last], fields, request, fault)
    }

    private func connect(seconds: Double) async throws(TransportError) {
        guard !isOnline else { return }
        switch outage {
        case .refused: return
        case .closed: throw TransportError(.connectionLost, "closed without a response")
        case .silent:
            var passed = 0.0
            for moment in [1.0, 3, 7] where moment < seconds {
                await pause(moment - passed)
                passed = moment
                if isOnline { return }
            }
            await pause(seconds - passed)
            throw TransportError(.timedOut, "connect timeout after \(seconds) s")
        }
    }

    private func answer(
        _ status: Int, _ bytes: ArraySlice<UInt8>, _ fields: TransportFields, _ request: TransportRequest,
        _ fault: Fault?
    ) -> TransportResponse {
        let sender = Sender(bytes)
        return TransportResponse(
            status: status, fields: fields, address: request.address,
            body: TransportBody(next: { () async throws(TransportError) in
                try await self.piece(sender, fault, idleSeconds: request.timeouts.idle)
            }))
    }

    private final class Sender: Sendable {
        let rest: Mutex<ArraySlice<UInt8>>
        let start: Int
        init(_ bytes: ArraySlice<UInt8>) {
            rest = Mutex(bytes)
            start = bytes.startIndex
        }
    }

    private func piece(
        _ sender: Sender, _ fault: Fault?, idleSeconds: Double
    ) async throws(TransportError) -> [UInt8]? {
        var (sent, size) = sender.rest.withLock {
            ($0.startIndex - sender.start, min(Self.pieceSize, $0.count))
        }
        switch fault {
        case .stall(let limit)?:
            size = min(size, limit - sent)
            if size <= 0 {
                await pause(idleSeconds)
                throw TransportError(.timedOut, "no data for \(idleSeconds) s")
            }
        case .cut(let limit)?:
            size = min(size, limit - sent)
            if size <= 0 { throw TransportError(.connectionLost, "connection lost") }
        default: break
        }
        guard size > 0 else { return nil }
        await pause(Double(size * 8) / bitsPerSecond)
        guard isOnline else { throw TransportError(.connectionLost, "network down") }
        state.withLock { $0.sentBytes += size }
        return sender.rest.withLock { rest in
            defer { rest = rest.dropFirst(size) }
            return Array(rest.prefix(size))
        }
    }

    private func pause(_ seconds: Double) async { try? await clock.sleep(seconds: seconds) }
}
