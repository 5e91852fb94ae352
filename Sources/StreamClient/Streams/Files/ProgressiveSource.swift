internal import Synchronization

/// A complete file of any format, read from any position: local, or on a server with range requests.
final class ProgressiveSource: MediaSource {
    /// The format and beginning of the file as earlier readers found them, so that they need not be requested again.
    private enum Known {
        case mpeg(ProgressiveReader.Beginning?)
        case flac(FLACReader.Beginning?)
        case ogg
        case pcm(PCMReader.Beginning?)
        case mp4(MP4Reader.Beginning?)
    }

    private let resource: any ByteResource
    private let known = Mutex<Known?>(nil)

    init(resource: any ByteResource) { self.resource = resource }

    func reader(from seconds: Double) -> any MediaReader { reader(from: seconds, opened: nil) }

    /// Returns a reader that starts with an already open read of the beginning.
    func reader(opened run: ByteRun) -> any MediaReader { reader(from: 0, opened: run) }

    private func reader(from seconds: Double, opened run: ByteRun?) -> any MediaReader {
        known.withLock { $0 == nil }
            ? UnknownReader(self, from: seconds, opened: run)
            : knownReader(from: seconds, opened: run)
    }

    /// Returns a reader for the format that was found.
    private func knownReader(from seconds: Double, opened run: ByteRun?) -> any MediaReader {
        switch known.withLock({ $0 }) {
        case .flac(let beginning):
            FLACReader(resource: resource, from: seconds, opened: run, known: beginning) {
                [weak self] found in
                self?.known.withLock { $0 = .flac(found) }
            }
        case .ogg:
            OggReader(resource: resource, from: seconds, opened: run)
        case .pcm(let beginning):
            PCMReader(resource: resource, from: seconds, opened: run, known: beginning) { [weak self] found in
                self?.known.withLock { $0 = .pcm(found) }
            }
        case .mp4(let beginning):
            MP4Reader(resource: resource, from: seconds, opened: run, known: beginning) { [weak self] found in
                self?.known.withLock { $0 = .mp4(found) }
            }
        case .mpeg(let beginning):
            mpegReader(from: seconds, opened: run, beginning)
        case nil:
            mpegReader(from: seconds, opened: run, nil)
        }
    }

    private func mpegReader(
        from seconds: Double, opened run: ByteRun?, _ beginning: ProgressiveReader.Beginning?
    ) -> ProgressiveReader {
        ProgressiveReader(resource: resource, from: seconds, opened: run, known: beginning) {
            [weak self] found in
            self?.known.withLock { $0 = .mpeg(found) }
        }
    }

    /// Recognises the format by the first bytes.
    fileprivate func detected(from seconds: Double, opened run: ByteRun?) async throws(PlaybackError)
        -> any MediaReader
    {
        let opened: ByteRun
        if let run { opened = run } else { opened = try await resource.open(at: 0) }
        try ProgressiveReader.requireAudio(opened)
        var first: [UInt8] = []
        while first.count < CachedFormat.headByteCount, let piece = try await opened.next() { first += piece }
        let found: Known =
            switch CachedFormat(head: first) {
            case .ogg: .ogg
            case .flac: .flac(nil)
            case .wav, .aiff: .pcm(nil)
            case .m4a: .mp4(nil)
            case .mp3: .mpeg(nil)
            }
        known.withLock { $0 = found }
        let pending = Mutex<[UInt8]?>(first.isEmpty ? nil : first)
        let again = ByteRun(
            offset: opened.offset, total: opened.total, fields: opened.fields, address: opened.address
        ) { () async throws(PlaybackError) in
            let head = pending.withLock { pending in
                defer { pending = nil }
                return pending
            }
            if let head { return head }
            return try await opened.next()
        }
        return knownReader(from: seconds, opened: again)
    }
}

/// Reads a file whose format is not known yet.
private final class UnknownReader: MediaReader {
    private let source: ProgressiveSource
    private let seconds: Double
    private var run: ByteRun?
    private var reader: (any MediaReader)?

    init(_ source: ProgressiveSource, from seconds: Double, opened run: ByteRun?) {
        self.source = source
        self.seconds = seconds
        self.run = run
    }

    func next() async throws(PlaybackError) -> MediaPiece? {
        if let reader { return try await reader.next() }
        let opened = run
        // A read that fails is not used again.
        run = nil
        let found = try await source.detected(from: seconds, opened: opened)
        reader = found
        return try await found.next()
    }
}
