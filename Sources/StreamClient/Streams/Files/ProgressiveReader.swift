internal import MusicShared
internal import MPEGAudio

/// Reads the frames of a file as its bytes arrive.
final class ProgressiveReader: MediaReader {
    /// Number of frames per piece.
    private static let batch = 32
    /// Number of bytes without a frame after which the data is rejected as not being MP3.
    private static let skipLimit = 1 << 19
    /// Bytes kept from the start of the file until the first frame is found, to diagnose a file without frames.
    private static let headLimit = 1 << 17

    private let resource: any ByteResource
    private let target: Double
    private var feed = FrameFeed()
    private var head: [UInt8] = []
    private var reading: ResourceReading
    private var info: XingInfoTag?
    private var layout: ProgressiveLayout?
    private var facts = MediaFacts()
    private var nextFrame = 0
    /// Frames before this one are skipped.
    private var firstWanted = 0
    private var isPlaced = false
    private var lastHeader: MPEGFrameHeader?
    private var nextTicks = 0
    /// Number of the next frame as reported.
    private var number = 0
    private var outbox: [MediaPiece] = []
    private var isOver = false

    /// Properties of the file derived from its first frames.
    struct Beginning: Sendable {
        let layout: ProgressiveLayout
        let facts: MediaFacts
    }

    private let onBeginning: (Beginning) -> Void

    /// - Parameters:
    ///   - run: an already open read from the start of the file, if any.
    ///   - known: the result of an earlier reader.
    ///   - onBeginning: receives the result of this reader.
    init(
        resource: any ByteResource, from seconds: Double, opened run: ByteRun? = nil,
        known: Beginning? = nil, onBeginning: @escaping (Beginning) -> Void = { _ in }
    ) {
        self.resource = resource
        self.onBeginning = onBeginning
        reading = ResourceReading(resource, opened: run)
        target = max(0, seconds)
        guard let known, !resource.isNear else { return }
        layout = known.layout
        facts = known.facts
        info = known.layout.info
        reading = ResourceReading(resource, opened: nil, total: known.layout.end)
        _ = jump(known.layout)
        outbox.append(.facts(facts))
    }

    func next() async throws(PlaybackError) -> MediaPiece? {
        while true {
            takeUnits()
            if !outbox.isEmpty { return outbox.removeFirst() }
            if isOver { return nil }
            if feed.frameCount == 0, feed.skippedBytes > Self.skipLimit { throw unreadable }
            if let piece = try await reading.next() {
                if layout == nil, head.count < Self.headLimit { head += piece }
                feed.append(piece)
                continue
            }
            feed.finish()
            takeUnits()
            guard let layout, nextFrame > 0 else { throw unreadable }
            outbox.append(.end(tailTrim: layout.tailTrim(frameCount: nextFrame)))
            isOver = true
        }
    }

    /// The error that explains why no frame was found.
    private var unreadable: PlaybackError {
        let bytes = head
        do {
            if try MPEGAudioStream.scan(bytes.span.bytes).index.isFreeFormat {
                return PlaybackError(
                    .unsupported,
                    "MP3 in free format, whose frames do not state their length, is not supported")
            }
        } catch {
            // Not MP3 of any kind.
        }
        return PlaybackError(.notMP3, "not MP3 audio")
    }

    // MARK: Bytes

    /// Throws if the content type declares another format.
    static func requireAudio(_ run: ByteRun) throws(PlaybackError) {
        let type = run.fields["content-type"]?.lowercased() ?? ""
        let others = ["aac", "wav", "mp4", "text/html", "video/", "image/"]
        if let other = others.first(where: { type.contains($0) }) {
            throw PlaybackError(
                .unsupported, "unsupported format \(other); only MP3, FLAC, Opus and Vorbis are supported")
        }
    }

    // MARK: Frames

    private func takeUnits() {
        var frames: [MediaFrame] = []
        while frames.count < Self.batch, let unit = feed.next() {
            switch unit {
            case .id3(let tag):
                guard layout == nil, let gain = ReplayGainValues(id3: tag) else { continue }
                facts.replayGain = gain
            case .information(let tag):
                if layout == nil { info = tag }
            case .frame(let frame):
                if layout == nil, begin(frame) { continue }
                place(frame, &frames)
            }
        }
        if !frames.isEmpty { outbox.append(.frames(frames)) }
    }

    /// Processes the first frame of the file.
    /// - Returns: whether reading continues at another offset.
    private func begin(_ frame: FrameFeed.Frame) -> Bool {
        let layout = ProgressiveLayout(
            header: frame.header, info: info, audioStart: frame.offset, end: reading.total)
        self.layout = layout
        head = []
        facts.durationSeconds = layout.durationSeconds
        facts.isExact = layout.isExact || target == 0 || resource.isNear
        onBeginning(Beginning(layout: layout, facts: facts))
        outbox.append(.facts(facts))
        return jump(layout)
    }

    /// Moves to the first frame needed.
    /// - Returns: whether reading continues at another offset.
    private func jump(_ layout: ProgressiveLayout) -> Bool {
        facts.isExact = layout.isExact || target == 0 || resource.isNear
        let sought = layout.headTrim + Int(target * Double(StreamTime.ticksPerSecond))
        let sampleCount = layout.header.samplesPerFrame
        firstWanted = Preroll.start(before: sought / layout.frameTicks, sampleCount: sampleCount)
        guard firstWanted > Preroll.longest(sampleCount: sampleCount), !resource.isNear else { return false }
        // If the size is known, request nothing after the end.
        reading.move(to: min(layout.offset(ofFrame: firstWanted), reading.total ?? .max))
        feed = FrameFeed(offset: reading.offset)
        nextFrame = -1
        return true
    }

    private func place(_ frame: FrameFeed.Frame, _ frames: inout [MediaFrame]) {
        guard let layout else { return }
        if nextFrame < 0 { nextFrame = max(0, layout.frame(at: frame.offset)) }
        defer { nextFrame += 1 }
        if !isPlaced {
            guard nextFrame >= firstWanted || !resource.isNear, nextFrame % Preroll.cycle == 0 else { return }
            isPlaced = true
            number = nextFrame
            nextTicks = nextFrame * layout.frameTicks - layout.headTrim
            let wanted = Int((target * Double(layout.header.sampleRate)).rounded()) * layout.sampleTicks
            outbox.append(.begin(soundFrom: max(0, wanted)))
        } else if let last = lastHeader,
            last.sampleRate != frame.header.sampleRate || last.channelCount != frame.header.channelCount
        {
            // A decoder cannot continue with a different format.
            if !frames.isEmpty { outbox.append(.frames(frames)) }
            frames = []
            number = 0
            outbox.append(.begin(soundFrom: nextTicks))
        }
        lastHeader = frame.header
        let placed = MediaFrame(frame, startTicks: nextTicks, number: number)
        number += 1
        nextTicks = placed.endTicks
        frames.append(placed)
    }
}
