internal import FileSystem
internal import Synchronization

/// A rendition that is being created: its frames can be read as soon as they are encoded, so that a listener does not wait for the
/// whole track.
final class GrowingRendition: Sendable {
    private struct State: ~Copyable {
        /// The file, from the first frame on until it is complete.
        var file: FileDescriptor?
        /// The offset after each frame in the file.
        var ends: [Int] = []
        var isOver = false
        var waiting: [(frameCount: Int, continuation: CheckedContinuation<Void, Never>)] = []

        /// Removes and returns those whose frames are there, or will never be.
        mutating func takeReady() -> [CheckedContinuation<Void, Never>] {
            let (count, isOver) = (ends.count, isOver)
            let ready = waiting.filter { isOver || $0.frameCount <= count }
            waiting.removeAll { isOver || $0.frameCount <= count }
            return ready.map(\.continuation)
        }
    }

    private let state = Mutex(State())

    /// Starts: frames will be appended to a file.
    func begin(_ file: borrowing FileDescriptor) {
        let number = file.number
        state.withLock { $0.file = try? FileDescriptor.duplicate(of: number) }
    }

    /// Records frames that have been written.
    /// - Parameter ends: the offset after each.
    func append(ends: [Int]) {
        let ready = state.withLock { state in
            state.ends += ends
            return state.takeReady()
        }
        for continuation in ready { continuation.resume() }
    }

    /// Ends, whether the rendition is complete or could not be created.
    func end() {
        let ready = state.withLock { state in
            state.isOver = true
            state.file = nil
            return state.takeReady()
        }
        for continuation in ready { continuation.resume() }
    }

    /// Waits until frames have been encoded, and returns their bytes; nil if creating the rendition has ended, so that the file or
    /// its error is available.
    func bytes(of frames: Range<Int>) async -> [UInt8]? {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.isOver || state.ends.count >= frames.upperBound { return true }
                state.waiting.append((frames.upperBound, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
        return state.withLock { state in
            guard !state.isOver, !frames.isEmpty, state.ends.count >= frames.upperBound else { return nil }
            let start = frames.lowerBound > 0 ? state.ends[frames.lowerBound - 1] : 0
            let count = state.ends[frames.upperBound - 1] - start
            // A segment; the encoder waits meanwhile, which keeps the file open.
            guard let bytes = try? state.file?.read(count, at: start), bytes.count == count else {
                return nil
            }
            return bytes
        }
    }
}
