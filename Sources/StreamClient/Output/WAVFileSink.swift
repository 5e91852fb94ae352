internal import FileSystem
internal import Foundation

/// Writes what is played to a WAV file: 32-bit floating point, the decoder's own samples, or 16-bit.
///
/// A file has one format, that of the first track; later tracks are converted to it. Sizes in the header are set when the file is
/// drained or closed, and stay right at any length: beyond 4 GiB they are "unknown" (0xFFFFFFFF), as is the custom.
public actor WAVFileSink: AudioSink {
    /// The encoding of a sample.
    public enum SampleForm: Sendable {
        /// 32-bit floating point (format tag 3).
        case float32
        /// 16-bit integers, rounded to the nearest, clipped at full scale.
        case integer16

        var byteCount: Int { self == .float32 ? 4 : 2 }
    }

    /// Whether samples are accepted at playback speed.
    public nonisolated let isRealTime = false

    private let path: String
    private let form: SampleForm
    private var file: FileDescriptor?
    private var format: AudioFormat?
    private var dataBytes = 0
    private var pending = Data()

    private static let flushSize = 1 << 20

    /// Creates an output to a path; an existing file is replaced when sound begins.
    public init(path: String, form: SampleForm = .float32) {
        self.path = path
        self.form = form
    }

    /// Prepares the output for samples of a format.
    public func open(_ format: AudioFormat) throws(PlaybackError) -> AudioFormat {
        if let known = self.format { return known }
        file = try SystemError.map(to: failure) { () throws(SystemError) in
            try FileDescriptor.open(path, for: .write, [.create, .truncate], permissions: 0o666)
        }
        self.format = format
        pending = head(format)
        try flush()
        return format
    }

    /// Writes the next samples.
    public func write(_ samples: [Float]) throws(PlaybackError) {
        guard isOpen else { return }
        switch form {
        case .float32:
            for sample in samples { append(sample.bitPattern) }
        case .integer16:
            for sample in samples { append(UInt16(bitPattern: Int16(sample: sample))) }
        }
        dataBytes += samples.count * form.byteCount
        if pending.count >= Self.flushSize { try flush() }
    }

    /// Seconds until a sample that is written now is heard.
    public var latencySeconds: Double { 0 }

    /// Waits until everything that was written is in the file.
    public func drain() throws(PlaybackError) {
        guard let format else { return }
        try flush()
        let head = [UInt8](head(format))
        try withFile { file throws(SystemError) in try file.write(head, at: 0) }
    }

    /// Closes the output; it can be opened again.
    public func close() {
        // Write errors have been reported by then.
        try? drain()
        file = nil
    }

    private func flush() throws(PlaybackError) {
        guard isOpen, !pending.isEmpty else { return }
        let bytes = [UInt8](pending)
        try withFile { file throws(SystemError) in try file.write(bytes) }
        pending.removeAll(keepingCapacity: true)
    }

    private var isOpen: Bool {
        switch file {
        case .some: true
        case .none: false
        }
    }

    /// Calls a closure with the open file; does nothing while the output is closed.
    private func withFile(
        _ body: (borrowing FileDescriptor) throws(SystemError) -> Void
    ) throws(PlaybackError) {
        do throws(SystemError) {
            switch file {
            case .some(let file): try body(file)
            case .none: break
            }
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ error: SystemError) -> PlaybackError {
        PlaybackError(.outputFailed, "\(path) cannot be written: \(error)")
    }

    private func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { pending.append(contentsOf: $0) }
    }

    /// RIFF header (Multimedia Programming Interface and Data Specifications 1.0), with a fact chunk for floating point, which is not PCM.
    private func head(_ format: AudioFormat) -> Data {
        let saved = pending
        defer { pending = saved }
        pending = Data()
        let frame = format.channelCount * form.byteCount
        let isFloat = form == .float32
        let others = isFloat ? 4 + 26 + 12 + 8 : 4 + 24 + 8
        pending.append(contentsOf: "RIFF".utf8)
        append(UInt32(clamping: others + dataBytes))
        pending.append(contentsOf: "WAVEfmt ".utf8)
        append(UInt32(isFloat ? 18 : 16))
        append(UInt16(isFloat ? 3 : 1))
        append(UInt16(format.channelCount))
        append(UInt32(format.sampleRate))
        append(UInt32(format.sampleRate * frame))
        append(UInt16(frame))
        append(UInt16(form.byteCount * 8))
        if isFloat {
            append(UInt16(0))
            pending.append(contentsOf: "fact".utf8)
            append(UInt32(4))
            append(UInt32(clamping: dataBytes / frame))
        }
        pending.append(contentsOf: "data".utf8)
        append(UInt32(clamping: dataBytes))
        return pending
    }
}
