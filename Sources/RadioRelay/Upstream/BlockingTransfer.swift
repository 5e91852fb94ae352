internal import HTTPClient
internal import Threads

/// A transfer whose content a thread reads piece by piece. At most a few pieces are held; the server is slowed down meanwhile.
final class BlockingTransfer: TransferReceiver {
    private struct State {
        var head: TransferHead?
        var pieces: [[UInt8]] = []
        var isPaused = false
        var end: Result<Void, HTTPClientError>?
    }

    private static let heldBytes = 1 << 18

    private let state = Turnstile(State())

    func transferBegan(_ head: TransferHead) { state.change { $0.head = head } }

    func transferReceived(_ bytes: UnsafeRawBufferPointer) -> Bool {
        state.change { state in
            guard state.pieces.reduce(0, { $0 + $1.count }) < Self.heldBytes else {
                state.isPaused = true
                return false
            }
            state.pieces.append(Array(bytes))
            return true
        }
    }

    func transferEnded(_ error: HTTPClientError?) {
        state.change { $0.end = error.map { .failure($0) } ?? .success(()) }
    }

    /// Waits for the head of the answer.
    /// - Parameter isStopped: checked twice a second.
    func head(unless isStopped: () -> Bool) throws(RelayError) -> TransferHead {
        while !isStopped() {
            let found = state.wait(upTo: 0.5) { state -> Result<TransferHead, RelayError>? in
                if let head = state.head { return .success(head) }
                guard let end = state.end else { return nil }
                return .failure(
                    end.failure.map { RelayError($0) } ?? RelayError(.badAnswer, "the answer has no header"))
            }
            switch found {
            case .success(let head): return head
            case .failure(let error): throw error
            case nil: continue
            }
        }
        throw RelayError(.stopped, "stopped")
    }

    /// Waits for the next pieces, at most half a second.
    /// - Returns: the pieces, empty after half a second without any, nil at the end of the content; and whether the transfer is
    ///   paused and must be resumed.
    func next() throws(RelayError) -> (pieces: [[UInt8]]?, isPaused: Bool) {
        let (pieces, isPaused, end) =
            state.wait(upTo: 0.5) { state -> ([[UInt8]], Bool, Result<Void, HTTPClientError>?)? in
                guard !state.pieces.isEmpty || state.end != nil else { return nil }
                defer {
                    state.pieces = []
                    state.isPaused = false
                }
                return (state.pieces, state.isPaused, state.end)
            } ?? ([], false, nil)
        guard pieces.isEmpty, let end else { return (pieces, isPaused) }
        if let failure = end.failure { throw RelayError(failure) }
        return (nil, false)
    }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}

extension RelayError {
    /// Maps an error of the client.
    init(_ error: HTTPClientError) {
        switch error.code {
        case .forbiddenAddress:
            self.init(
                .badAddress,
                "the station is in a private network; the host's owner can allow it with --radio-networks")
        case .badAddress: self.init(.badAddress, "the address is not a valid http or https address")
        case .badAnswer, .tooLarge, .tooManyRedirections:
            self.init(.badAnswer, "the station's answer cannot be used: \(error.description)")
        case .cancelled: self.init(.stopped, "stopped")
        default: self.init(.unreachable, "the station cannot be reached: \(error.description)")
        }
    }
}
