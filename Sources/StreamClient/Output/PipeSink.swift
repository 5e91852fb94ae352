internal import FileSystem
internal import Foundation
internal import Synchronization

/// Writes what is played to a FIFO: 16-bit little-endian stereo at one rate, for Snapcast and other programs that read raw samples.
///
/// The reader sets the pace. While the pipe is full, or nothing reads it, writing waits, so that no sample is lost when the reader is
/// restarted.
public actor PipeSink: AudioSink {
    /// Whether samples are accepted at playback speed.
    public nonisolated let isRealTime = true
    /// The reader waits for missing samples, and so gets those of the tracks and no others.
    public nonisolated let hearsGaps = false

    /// Number of bytes in the pipe: 0.19 s at 44.1 kHz, by which a pause or seek is heard late.
    private static let capacity = 32 << 10
    /// Seconds between two attempts to write to a full pipe.
    private static let pollSeconds = 0.01
    /// Seconds without any progress after which nothing seems to read the pipe.
    private static let patienceSeconds = 2.0
    private static let frameBytes = 4

    private let path: String
    private let sampleRate: Int
    private let clock: PlaybackClock
    private var file: FileDescriptor?
    private let stalled = Mutex(false)
    private let isEnded = Mutex(false)

    /// Creates an output to a FIFO, which is created when sound begins if it does not exist.
    /// - Parameter sampleRate: the rate of the samples in Hz; tracks of other rates are converted.
    public init(path: String, sampleRate: Int = 44_100, clock: PlaybackClock = .continuous) {
        self.path = path
        self.sampleRate = sampleRate
        self.clock = clock
    }

    /// Whether writing has waited for seconds, because nothing reads the pipe.
    public nonisolated var isStalled: Bool { stalled.withLock { $0 } }

    /// Discards what cannot be written at once from now on, so that ``close()`` is reached.
    public nonisolated func end() { isEnded.withLock { $0 = true } }

    /// Prepares the output; every format is converted to that of the pipe.
    public func open(_ format: AudioFormat) throws(PlaybackError) -> AudioFormat {
        if !isOpen { file = try openPipe() }
        return AudioFormat(sampleRate: sampleRate, channelCount: 2)
    }

    /// Writes the next samples; waits for the reader.
    public func write(_ samples: [Float]) async throws(PlaybackError) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(samples.count * 2)
        for sample in samples {
            let value = UInt16(bitPattern: Int16(sample: sample))
            bytes.append(UInt8(truncatingIfNeeded: value))
            bytes.append(UInt8(value >> 8))
        }
        var start = 0
        var lastProgress = clock.seconds
        while start < bytes.count, isOpen {
            let count = try push(bytes, from: start)
            start += count
            if count > 0 {
                lastProgress = clock.seconds
                stalled.withLock { $0 = false }
                continue
            }
            if isEnded.withLock({ $0 }) { return }
            if clock.seconds - lastProgress > Self.patienceSeconds { stalled.withLock { $0 = true } }
            // Sleeping is not cancelled: the engine waits for the end of a write.
            try? await clock.sleep(seconds: Self.pollSeconds)
        }
    }

    /// Seconds of audio that have not been read.
    public var latencySeconds: Double {
        Double(unreadByteCount / Self.frameBytes) / Double(sampleRate)
    }

    private var unreadByteCount: Int {
        switch file {
        case .some(let file): (try? file.unreadByteCount) ?? 0
        case .none: 0
        }
    }

    /// Returns at once: what is in the pipe is read without help, and what follows has the same format.
    public func drain() {}

    /// Closes the pipe; it can be opened again.
    public func close() { file = nil }

    private var isOpen: Bool {
        switch file {
        case .some: true
        case .none: false
        }
    }

    private func push(_ bytes: [UInt8], from start: Int) throws(PlaybackError) -> Int {
        let result = bytes.withUnsafeBytes { buffer in
            Result { () throws(SystemError) in
                switch file {
                case .some(let file):
                    try file.writeWithoutWaiting(UnsafeRawBufferPointer(rebasing: buffer[start...]))
                case .none: 0
                }
            }
        }
        do throws(SystemError) {
            return try result.get()
        } catch {
            throw PlaybackError(.outputFailed, "the pipe \(path) cannot be written: \(error)")
        }
    }

    private func openPipe() throws(PlaybackError) -> FileDescriptor {
        do throws(SystemError) {
            if (try? Files.status(of: path)) == nil { try Files.makeFIFO(path, permissions: 0o666) }
            // With both ends open, neither opening nor writing depends on a reader: without one, the pipe is full.
            let file = try FileDescriptor.open(path, for: .readAndWrite, .nonBlocking)
            guard (try? file.setPipeCapacity(Self.capacity)) != nil else {
                throw SystemError.notAPipe
            }
            return file
        } catch {
            let reason =
                error == .notAPipe ? "it is not a FIFO; remove it or choose another path" : "\(error)"
            throw PlaybackError(.outputFailed, "the pipe \(path) cannot be opened: \(reason)")
        }
    }
}
