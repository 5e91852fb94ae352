internal import CCurl
internal import Foundation
internal import Synchronization
internal import Threads

/// Runs any number of transfers on one thread through libcurl's multi interface. Connections are kept and reused.
///
/// Safe to call from any thread. When the loop is deallocated, running transfers end as cancelled.
package final class TransferLoop: Sendable {
    /// Identifies a transfer of one loop.
    package struct TransferID: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    fileprivate enum Command: Sendable {
        case start(TransferID, TransferRequest, any TransferReceiver)
        case resume(TransferID)
        case cancel(TransferID)
    }

    /// State shared by callers and the thread.
    fileprivate final class Mailbox: Sendable {
        struct State {
            var commands: [Command] = []
            var lastNumber: UInt64 = 0
            var isClosed = false
            /// The multi handle, needed to wake the thread; nil before the thread starts and after it ends.
            var wakeable: UInt?
        }

        let state = Mutex(State())

        func post(_ command: Command) {
            state.withLock { state in
                state.commands.append(command)
                Self.wake(state)
            }
        }

        /// Called under the lock, so that the handle is not freed at the same time.
        static func wake(_ state: State) {
            guard let bits = state.wakeable, let multi = UnsafeMutableRawPointer(bitPattern: bits) else {
                return
            }
            curl_multi_wakeup(multi)
        }
    }

    private let mailbox = Mailbox()

    /// Starts the thread.
    /// - Parameter userAgent: the program's name for the `User-Agent` field.
    package init(userAgent: String) {
        let mailbox = mailbox
        DedicatedThread.start("transfers") { LoopThread(mailbox: mailbox, userAgent: userAgent).run() }
    }

    deinit {
        mailbox.state.withLock { state in
            state.isClosed = true
            Mailbox.wake(state)
        }
    }

    /// Starts a transfer. The receiver is retained until it ends.
    package func start(_ request: TransferRequest, receiver: any TransferReceiver) -> TransferID {
        let id = mailbox.state.withLock { state in
            state.lastNumber += 1
            return TransferID(number: state.lastNumber)
        }
        mailbox.post(.start(id, request, receiver))
        return id
    }

    /// Resumes a transfer whose receiver did not accept a piece.
    package func resume(_ id: TransferID) { mailbox.post(.resume(id)) }

    /// Cancels a transfer; its receiver is notified unless it has ended already.
    package func cancel(_ id: TransferID) { mailbox.post(.cancel(id)) }
}

/// State used only by the loop's thread.
private final class LoopThread {
    private let mailbox: TransferLoop.Mailbox
    private let userAgent: String
    private var transfers: [TransferLoop.TransferID: RunningTransfer] = [:]
    private var idsByHandle: [UnsafeMutableRawPointer: TransferLoop.TransferID] = [:]

    init(mailbox: TransferLoop.Mailbox, userAgent: String) {
        self.mailbox = mailbox
        self.userAgent = userAgent
    }

    func run() {
        guard HTTPClient.isReady, let multi = curl_multi_init() else { return refuseAll() }
        ccurl_multi_set_number(multi, CURLMOPT_MAXCONNECTS, 16)
        mailbox.state.withLock { $0.wakeable = UInt(bitPattern: multi) }
        while takeCommands(multi) {
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            finishEnded(multi)
            let wait = endOverdue(multi)
            curl_multi_poll(multi, nil, 0, Int32(min(max(wait, 0), 60_000)), nil)
        }
        mailbox.state.withLock { $0.wakeable = nil }
        for id in Array(transfers.keys) { end(id, multi, .cancelled) }
        curl_multi_cleanup(multi)
        refuseAll()
    }

    /// - Returns: whether the loop continues.
    private func takeCommands(_ multi: UnsafeMutableRawPointer) -> Bool {
        let (commands, isClosed) = mailbox.state.withLock { state in
            let commands = state.commands
            state.commands = []
            return (commands, state.isClosed)
        }
        for command in commands {
            switch command {
            case .start(let id, let request, let receiver): begin(id, request, receiver, multi)
            case .resume(let id): transfers[id]?.resume()
            case .cancel(let id): end(id, multi, .cancelled)
            }
        }
        return !isClosed
    }

    private func begin(
        _ id: TransferLoop.TransferID, _ request: TransferRequest, _ receiver: any TransferReceiver,
        _ multi: UnsafeMutableRawPointer
    ) {
        guard let transfer = RunningTransfer(request, receiver: receiver, userAgent: userAgent),
            curl_multi_add_handle(multi, transfer.handle) == CURLM_OK
        else {
            receiver.transferEnded(HTTPClientError(code: .unreachable, description: "out of memory"))
            return
        }
        transfers[id] = transfer
        idsByHandle[transfer.handle] = id
    }

    private func finishEnded(_ multi: UnsafeMutableRawPointer) {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
                let id = idsByHandle[handle]
            else { continue }
            let result = message.pointee.data.result
            let transfer = transfers[id]
            let failure: HTTPClientError? =
                switch result {
                case CURLE_OK: nil
                case _ where transfer?.isRefused == true: .forbiddenAddress
                default: HTTPClientError(result, address: transfer?.address ?? "")
                }
            end(id, multi, failure)
        }
    }

    /// Ends transfers that have timed out.
    /// - Returns: milliseconds until the next timeout.
    private func endOverdue(_ multi: UnsafeMutableRawPointer) -> Int {
        let now = ContinuousClock.now
        var wait = Duration.seconds(60)
        for (id, transfer) in transfers {
            guard let (deadline, phase) = transfer.deadline else { continue }
            if deadline <= now {
                end(
                    id, multi,
                    HTTPClientError(code: .timedOut, description: "no \(phase) came in time"))
            } else {
                wait = min(wait, deadline - now)
            }
        }
        // Rounded up, or the loop would spin through the last millisecond.
        return Int(wait / .milliseconds(1)) + 1
    }

    private func end(
        _ id: TransferLoop.TransferID, _ multi: UnsafeMutableRawPointer, _ error: HTTPClientError?
    ) {
        guard let transfer = transfers.removeValue(forKey: id) else { return }
        idsByHandle[transfer.handle] = nil
        transfer.reportHeadOfEmptyAnswer(unless: error)
        curl_multi_remove_handle(multi, transfer.handle)
        transfer.receiver.transferEnded(error)
    }

    /// Ends requests that were posted too late as cancelled.
    private func refuseAll() {
        let commands = mailbox.state.withLock { state in
            let commands = state.commands
            state.commands = []
            return commands
        }
        for case .start(_, _, let receiver) in commands { receiver.transferEnded(.cancelled) }
    }
}

extension HTTPClientError {
    fileprivate static let cancelled = HTTPClientError(code: .cancelled, description: "cancelled")
    fileprivate static let forbiddenAddress = HTTPClientError(
        code: .forbiddenAddress, description: "the address is in a network that is not allowed")
}
