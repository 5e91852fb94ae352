internal import AVDecoder
internal import AudioFrames
internal import MP4Audio
internal import MPEGAudio
internal import MusicShared

/// Reads the access units of an M4A file with AAC or ALAC, from any position. The index may be at the end of the file.
final class MP4Reader: MediaReader {
    /// The beginning of a file: its index, the ReplayGain values of its tags, and its size.
    struct Beginning: Sendable {
        let index: MP4AudioIndex
        let replayGain: ReplayGainValues?
        let total: Int
    }

    /// Number of access units per piece.
    private static let batch = 32
    /// Bytes between units that are rather read than skipped with a new request.
    private static let nearBytes = 1 << 18
    /// Number of the first access units by which implicit spectral band replication is found.
    private static let probedUnits = 8
    /// Maximum number of boxes that are examined.
    private static let mostBoxes = 100_000

    private let resource: any ByteResource
    private let target: Double
    private var run: ByteRun?
    private let known: Beginning?
    private let onBeginning: (Beginning) -> Void
    private var index: MP4AudioIndex?
    private var reading: ResourceReading
    /// Bytes that have been read, and their offset in the file.
    private var buffer: [UInt8] = []
    private var bufferStart = 0
    /// The next access unit to send.
    private var unit = 0
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
        let index: MP4AudioIndex
        if let begun = self.index { index = begun } else { index = try await begin() }
        if !outbox.isEmpty { return outbox.removeFirst() }
        if isOver { return nil }
        guard unit < index.units.count else {
            isOver = true
            return .end(tailTrim: 0)
        }
        var frames: [MediaFrame] = []
        while frames.count < Self.batch, unit < index.units.count {
            let next = index.units[unit]
            frames.append(MediaFrame(next, try await bytes(of: next.range), number: unit, index))
            unit += 1
        }
        return .frames(frames)
    }

    /// Returns the bytes of an access unit. Units usually follow each other.
    private func bytes(of range: Range<Int>) async throws(PlaybackError) -> [UInt8] {
        let end = bufferStart + buffer.count
        if range.lowerBound < bufferStart || range.lowerBound > end + Self.nearBytes {
            reading.move(to: range.lowerBound)
            buffer = []
            bufferStart = range.lowerBound
        }
        while bufferStart + buffer.count < range.upperBound {
            guard let piece = try await reading.next() else {
                throw PlaybackError(.connectionLost, "the file ends early")
            }
            buffer += piece
        }
        let start = range.lowerBound - bufferStart
        let bytes = Array(buffer[start..<start + range.count])
        if start > Self.nearBytes {
            buffer.removeFirst(start)
            bufferStart = range.lowerBound
        }
        return bytes
    }

    // MARK: - Beginning

    /// Reads the index.
    private func open() async throws(PlaybackError) -> Beginning {
        guard AVDecoder.isAvailable else {
            throw PlaybackError(
                .unsupported, "this build cannot play AAC and ALAC: it was built without libavcodec")
        }
        let opened = run
        // A read that fails is not used again.
        run = nil
        let file = try await SparseFile(resource, opened: opened)
        try await loadBoxes(of: file)
        // The places of the units are known now; the first and the last tell what the index does not.
        let units = try Self.scan(file).index.units
        if units.count > 0 {
            let first =
                units[0].range.lowerBound..<units[min(Self.probedUnits, units.count) - 1].range.upperBound
            try await file.load(first.count < 1 << 20 ? first : units[0].range)
            let last = units[units.count - 1].range
            try await file.load(last.lowerBound..<min(last.upperBound, last.lowerBound + 16))
        }
        let beginning = Beginning(
            index: try Self.scan(file).index,
            replayGain: try file.withBytes { ReplayGainValues(ITunesComments($0)) }, total: file.byteCount)
        onBeginning(beginning)
        return beginning
    }

    /// Moves to the position.
    private func begin() async throws(PlaybackError) -> MP4AudioIndex {
        let beginning: Beginning
        if let known { beginning = known } else { beginning = try await open() }
        let index = beginning.index
        self.index = index
        let rate = index.codec.sampleRate
        let sample = min(index.played.count, Int((target * Double(rate)).rounded()))
        let first = index.units.frame(containing: index.played.lowerBound + sample) ?? index.units.count
        unit = max(0, first - index.codec.prerollUnits)
        reading = ResourceReading(resource, opened: nil, total: beginning.total)
        if unit < index.units.count {
            bufferStart = index.units[unit].range.lowerBound
            reading.move(to: bufferStart)
        }
        var facts = MediaFacts()
        facts.durationSeconds = Double(index.played.count) / Double(rate)
        facts.replayGain = beginning.replayGain
        outbox = [.facts(facts), .begin(soundFrom: StreamTime.ticks(ofSample: sample, at: rate))]
        return index
    }

    private static func scan(_ file: SparseFile) throws(PlaybackError) -> MP4AudioStream {
        try file.withBytes { bytes throws(PlaybackError) in
            do throws(AudioFormatError) {
                return try MP4AudioStream.scan(bytes, passed: { _ in }) { configuration, units in
                    AVDecoder.probe(.aac(configuration: configuration.bytes), units, bytes)?.size
                }
            } catch {
                throw PlaybackError(.unsupported, error.message)
            }
        }
    }

    /// Loads the boxes that describe the audio: the index, and those of fragments.
    private func loadBoxes(of file: SparseFile) async throws(PlaybackError) {
        var position = 0
        for _ in 0..<Self.mostBoxes where position < file.byteCount {
            try await file.load(position..<position + 16)
            guard let short = file.number(at: position, byteCount: 4, isBigEndian: true) else { return }
            var size = short
            if short == 1 {
                guard let high = file.number(at: position + 8, byteCount: 4, isBigEndian: true),
                    high < 1 << 20,
                    let low = file.number(at: position + 12, byteCount: 4, isBigEndian: true)
                else { return }
                size = high << 32 | low
            }
            // The last box may extend to the end of the file.
            guard size == 0 || size >= 8 else { return }
            let end = size == 0 ? file.byteCount : min(file.byteCount, position + size)
            if ["ftyp", "moov", "moof"].contains(file.name(at: position + 4)) {
                try await file.load(position..<end)
            }
            position = end
        }
    }
}
