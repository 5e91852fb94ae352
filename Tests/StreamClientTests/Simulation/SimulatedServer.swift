import StreamClient
import Synchronization

/// A server and the network to it, in simulated time: as fast as it is told to be, away when it is told to be, and wrong when it is
/// told to be.
final class SimulatedServer: Transport {
    struct Resource: Sendable {
        var bytes: [UInt8]
        var type = "audio/mpeg"
        var hasRanges = true
        var fields: TransportFields = [:]
        /// Whether nobody is told how long it is.
        var isEndless = false
    }

    enum Fault: Sendable {
        /// An answer of this status.
        case status(Int)
        /// Nothing comes after so many bytes, until the client has waited long enough.
        case stall(afterBytes: Int)
        /// The connection ends after so many bytes.
        case cut(afterBytes: Int)
    }

    struct Request: Sendable {
        let time: Double
        let address: String
        let range: TransportRange?
    }

    private struct State {
        var resources: [String: Resource] = [:]
        var bitsPerSecond: Double
        var isOnline = true
        var faults: [Fault] = []
        var requests: [Request] = []
        var sentBytes = 0
    }

    private static let pieceSize = 4096
    private static let latency = 0.02

    private let state: Mutex<State>
    private let clock: PlaybackClock

    init(clock: PlaybackClock, bitsPerSecond: Double = 5_000_000) {
        self.clock = clock
        state = Mutex(State(bitsPerSecond: bitsPerSecond))
    }

    func serve(_ address: String, _ resource: Resource) {
        state.withLock { $0.resources[address] = resource }
    }

    func serve(_ address: String, text: String, type: String) {
        serve(address, Resource(bytes: Array(text.utf8), type: type))
    }

    var isOnline: Bool {
        get { state.withLock { $0.isOnline } }
        set { state.withLock { $0.isOnline = newValue } }
    }

    var bitsPerSecond: Double {
        get { state.withLock { $0.bitsPerSecond } }
        set { state.withLock { $0.bitsPerSecond = newValue } }
    }

    /// The next requests go wrong, one after the other.
    func fail(_ faults: Fault...) { state.withLock { $0.faults += faults } }

    var requests: [Request] { state.withLock { $0.requests } }
    var sentBytes: Int { state.withLock { $0.sentBytes } }

    func fetch(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        state.withLock {
            $0.requests.append(
                Request(time: clock.seconds, address: request.address, range: request.range))
        }
        await pause(Self.latency)
        let (isOnline, fault, resource) = state.withLock { state -> (Bool, Fault?, Resource?) in
            guard state.isOnline else { return (false, nil, nil) }
            let fault = state.faults.isEmpty ? nil : state.faults.removeFirst()
            return (true, fault, state.resources[request.address])
        }
        guard isOnline else {
            await pause(0.2)
            throw TransportError(.unreachable, "nobody is there")
        }
        if case .status(let status) = fault { return answer(status, [], [:], request, nil) }
        guard let resource else { return answer(404, [], [:], request, nil) }
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
                throw TransportError(.timedOut, "nothing came for \(idleSeconds) s")
            }
        case .cut(let limit)?:
            size = min(size, limit - sent)
            if size <= 0 { throw TransportError(.connectionLost, "the connection was lost") }
        default: break
        }
        guard size > 0 else { return nil }
        await pause(Double(size * 8) / bitsPerSecond)
        guard isOnline else { throw TransportError(.connectionLost, "the network is away") }
        state.withLock { $0.sentBytes += size }
        return sender.rest.withLock { rest in
            defer { rest = rest.dropFirst(size) }
            return Array(rest.prefix(size))
        }
    }

    private func pause(_ seconds: Double) async { try? await clock.sleep(seconds: seconds) }
}
