internal import AudioFrames
internal import MPEGAudio
internal import MusicShared
internal import PCMAudio

/// Reads the samples of a WAV or AIFF file in blocks, from any position.
final class PCMReader: MediaReader {
    /// The beginning of a file: its samples, the ReplayGain values of its ID3 tag, and its size.
    struct Beginning: Sendable {
        let stream: PCMAudioStream
        let replayGain: ReplayGainValues?
        let total: Int
    }

    /// Samples per channel in a block.
    private static let blockSize = 4096
    /// Maximum number of chunks that are examined.
    private static let mostChunks = 1000
    /// Maximum size of a chunk that describes the samples.
    private static let longestDescription = 1 << 16
    /// Maximum size of a tag that is read; most of a larger one is a picture.
    private static let longestTag = 1 << 18

    private let resource: any ByteResource
    private let target: Double
    private var run: ByteRun?
    private let known: Beginning?
    private let onBeginning: (Beginning) -> Void
    private var stream: PCMAudioStream?
    private var reading: ResourceReading
    private var buffer: [UInt8] = []
    /// The next sample to send.
    private var sample = 0
    private var outbox: [MediaPiece] = []
    private var isOver = false

    /// - Parameters:
    ///   - run: an already open read from the start of the file, if any.
    ///   - known: the result of an earlier reader.
    ///   - onBeginning: receives the result of this reader.
    init(
        resource: any ByteResource, from seconds: Double, opened run: ByteRun?, known: Beginning?,
        onBeginning: @escaping (Beginning) -> Void
    ) {
        self.known = known
        self.onBeginning = onBeginning
        self.resource = resource
        self.run = run
        reading = ResourceReading(resource, opened: nil)
        target = max(0, seconds)
    }

    func next() async throws(PlaybackError) -> MediaPiece? {
        let stream: PCMAudioStream
        if let begun = self.stream { stream = begun } else { stream = try await begin() }
        if !outbox.isEmpty { return outbox.removeFirst() }
        if isOver { return nil }
        guard sample < stream.sampleCount else {
            isOver = true
            return .end(tailTrim: 0)
        }
        let count = min(Self.blockSize, stream.sampleCount - sample)
        let size = count * stream.format.frameSize
        while buffer.count < size {
            guard let piece = try await reading.next() else {
                throw PlaybackError(.connectionLost, "the file ends early")
            }
            buffer += piece
        }
        let block = Array(buffer[..<size])
        buffer.removeFirst(size)
        defer { sample += count }
        return .frames([
            MediaFrame(samples: block, startSample: sample, count: count, stream.format)
        ])
    }

    /// Moves to the position.
    private func begin() async throws(PlaybackError) -> PCMAudioStream {
        let beginning: Beginning
        if let known { beginning = known } else { beginning = try await open() }
        let stream = beginning.stream
        self.stream = stream
        let rate = stream.format.sampleRate
        sample = min(stream.sampleCount, Int((target * Double(rate)).rounded()))
        reading = ResourceReading(resource, opened: nil, total: beginning.total)
        reading.move(to: stream.payload.lowerBound + sample * stream.format.frameSize)
        var facts = MediaFacts()
        facts.durationSeconds = stream.durationSeconds
        facts.replayGain = beginning.replayGain
        outbox = [.facts(facts), .begin(soundFrom: StreamTime.ticks(ofSample: sample, at: rate))]
        return stream
    }

    /// Reads the chunks that describe the samples.
    private func open() async throws(PlaybackError) -> Beginning {
        let opened = run
        // A read that fails is not used again.
        run = nil
        let file = try await SparseFile(resource, opened: opened)
        let tag = try await loadChunks(of: file)
        let stream = try file.withBytes { bytes throws(PlaybackError) in
            do throws(AudioFormatError) {
                return try PCMAudioStream.scan(bytes)
            } catch {
                throw PlaybackError(.unsupported, error.message)
            }
        }
        let beginning = Beginning(
            stream: stream,
            replayGain: tag.flatMap { range in
                ReplayGainValues(id3: file.bytes(in: range))
            }, total: file.byteCount)
        onBeginning(beginning)
        return beginning
    }

    /// Loads the headers of all chunks, and the contents that describe the samples.
    /// - Returns: the place of an ID3 tag, which is usually behind the samples; nil without one, and in files of 4 GiB and more.
    private func loadChunks(of file: SparseFile) async throws(PlaybackError) -> Range<Int>? {
        try await file.load(0..<12)
        let isBigEndian = file.name(at: 0) == "FORM"
        var position = 12
        var missing: Set = isBigEndian ? ["COMM", "SSND"] : ["fmt ", "data"]
        var tag: Range<Int>?
        for _ in 0..<Self.mostChunks
        where position + 8 <= file.byteCount && (!missing.isEmpty || tag == nil) {
            try await file.load(position..<position + 24)
            guard let size = file.number(at: position + 4, byteCount: 4, isBigEndian: isBigEndian) else {
                return tag
            }
            let name = file.name(at: position)
            missing.remove(name)
            if name == "fmt " || name == "COMM" || name == "ds64" {
                try await file.load(position..<position + 8 + min(size, Self.longestDescription))
            }
            if name == "id3 " || name == "ID3 " {
                let end = min(position + 8 + min(size, Self.longestTag), file.byteCount)
                try await file.load(position + 8..<end)
                tag = position + 8..<end
            }
            position += 8 + size + size & 1
        }
        return tag
    }
}
