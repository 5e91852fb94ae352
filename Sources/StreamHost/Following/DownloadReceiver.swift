internal import FileSystem
internal import HTTPClient
internal import Threads

/// Writes the content of a transfer to a file.
final class DownloadReceiver: TransferReceiver {
    private struct State {
        var head: TransferHead?
        /// Where the next piece is written; nil where the content is not wanted.
        var offset: Int?
        var problem: (any Error)?
        var end: Result<TransferHead, any Error>?
    }

    private let file: FileDescriptor
    private let start: @Sendable (TransferHead) -> Int?
    private let state = Turnstile(State())

    /// - Parameters:
    ///   - file: an open file.
    ///   - start: returns the offset at which the content belongs; nil to ignore it. The file ends there at first.
    init(file: consuming FileDescriptor, start: @escaping @Sendable (TransferHead) -> Int?) throws {
        self.file = file
        self.start = start
    }

    /// Waits for the end.
    /// - Throws: `HTTPClientError` for an incomplete transfer, `SystemError` if the file cannot be written.
    func wait() throws -> TransferHead {
        try state.wait { $0.end }?.get() ?? { throw PrimaryHost.Failure(description: "cancelled") }()
    }

    func transferBegan(_ head: TransferHead) {
        state.change { state in
            state.head = head
            state.offset = start(head)
            do { if let offset = state.offset { try file.truncate(to: offset) } } catch {
                state.problem = error
            }
        }
    }

    func transferReceived(_ bytes: UnsafeRawBufferPointer) -> Bool {
        state.change { state in
            guard let offset = state.offset, state.problem == nil else { return }
            do {
                try file.write(bytes, at: offset)
                state.offset = offset + bytes.count
            } catch {
                state.problem = error
            }
        }
        return true
    }

    func transferEnded(_ error: HTTPClientError?) {
        state.change { state in
            if let failure: any Error = state.problem ?? error {
                state.end = .failure(failure)
            } else if let head = state.head {
                state.end = Result {
                    try file.sync()
                    return head
                }
            } else {
                state.end = .failure(PrimaryHost.Failure(description: "the primary's answer has no header"))
            }
        }
    }
}
