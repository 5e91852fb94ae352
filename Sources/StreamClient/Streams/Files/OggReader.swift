internal import AudioFrames
internal import MPEGAudio
internal import MusicShared
internal import OggAudio

/// Reads the packets of an Ogg file with Opus or Vorbis as its bytes arrive.
///
/// A position far away is found by the positions that pages state. In chained files, and without a known size, it is found by
/// reading up to it without decoding.
final class OggReader: MediaReader {
    /// Number of packets per piece.
    private static let batch = 32
    /// Number of bytes without a page after which the data is rejected.
    private static let skipLimit = 1 << 22
    /// Bytes at the end of a file in which its last page begins.
    private static let tailSize = 1 << 17
    /// Seconds that are read before a position, which is more than a decoder needs.
    private static let leadSeconds = 0.5

    private let resource: any ByteResource
    private let target: Double
    private var feed = OggFeed()
    private var reading: ResourceReading
    private var headers: OggDecoderHeaders?
    private var comments: [UInt8]?
    /// Number of links so far.
    private var link = 0
    private var facts = MediaFacts()
    /// The packets before the position that its decoder needs.
    private var preroll: [MediaFrame] = []
    private var needsLength = false
    /// Nil where the position is reached by reading.
    private var search: PositionSearch?
    private var isBegun = false
    private var number = 0
    private var outbox: [MediaPiece] = []
    private var isOver = false

    /// - Parameter run: an already open read from the start of the file, if any.
    init(resource: any ByteResource, from seconds: Double, opened run: ByteRun? = nil) {
        self.resource = resource
        reading = ResourceReading(resource, opened: run)
        target = max(0, seconds)
    }

    func next() async throws(PlaybackError) -> MediaPiece? {
        while true {
            takeUnits()
            if needsLength {
                needsLength = false
                let end = try await endSample()
                facts.durationSeconds = end.map { Double($0) / Double(headers?.sampleRate ?? 1) }
                outbox.insert(.facts(facts), at: 0)
                if let end { seek(end) }
            }
            if !outbox.isEmpty { return outbox.removeFirst() }
            if isOver { return nil }
            if feed.skippedBytes > Self.skipLimit { throw unreadable }
            if let piece = try await reading.next() {
                feed.append(piece)
                continue
            }
            if !isOver {
                feed.finish()
                takeUnits()
                if search?.isOver == false {
                    // The estimate was within the last page.
                    search?.reachedEnd()
                    move()
                    continue
                }
                guard feed.packetCount > 0 else { throw unreadable }
                outbox.append(.end(tailTrim: 0))
                isOver = true
            }
        }
    }

    private var unreadable: PlaybackError {
        PlaybackError(.unsupported, feed.refusal?.message ?? "the Ogg file has no audio")
    }

    // MARK: - Packets

    private func takeUnits() {
        var frames: [MediaFrame] = []
        while frames.count < Self.batch, !needsLength, let unit = feed.next() {
            switch unit {
            case .comments(let bytes): comments = comments ?? bytes
            case .headers(let found):
                link += 1
                headers = found
                guard link == 1, search == nil else { continue }
                facts.replayGain = comments.flatMap {
                    ReplayGainValues(vorbisComments: $0, isOpus: found.isOpus)
                }
                needsLength = true
            case .resumed(let sample): if landed(at: sample) { return }
            case .packet(let packet):
                guard let headers else { continue }
                take(packet, headers, &frames)
            }
        }
        if !frames.isEmpty { outbox.append(.frames(frames)) }
    }

    private func take(_ packet: OggFeed.Packet, _ headers: OggDecoderHeaders, _ frames: inout [MediaFrame]) {
        let frame = MediaFrame(packet, number: number, headers, link: link)
        number += 1
        guard !isBegun else {
            frames.append(frame)
            return
        }
        let wanted = Int((target * Double(headers.sampleRate)).rounded())
        guard wanted == 0 || packet.startSample + packet.played.count > wanted else {
            preroll.append(frame)
            let limit = frame.longestPreroll
            if preroll.count > limit { preroll.removeFirst(preroll.count - limit) }
            return
        }
        isBegun = true
        outbox.append(.begin(soundFrom: StreamTime.ticks(ofSample: wanted, at: headers.sampleRate)))
        frames += preroll + [frame]
        preroll = []
    }

    // MARK: - Seeking

    private var wantedSample: Int { Int((target * Double(headers?.sampleRate ?? 1)).rounded()) }

    private func seek(_ end: Int) {
        guard target > PositionSearch.nearSeconds, let total = reading.total, let headers else { return }
        let lead = Int(Self.leadSeconds * Double(headers.sampleRate))
        search = PositionSearch(
            for: wantedSample - lead, from: .init(offset: 0, sample: 0),
            to: .init(offset: total, sample: end))
        move()
    }

    /// Continues reading where the search says.
    private func move() {
        let origin = search?.origin ?? 0
        reading.move(to: origin)
        if origin == 0 {
            feed = OggFeed()
            link = 0
        } else {
            feed.resume()
        }
    }

    /// Examines where a jump led.
    /// - Returns: whether reading continues at another offset.
    private func landed(at sample: Int) -> Bool {
        guard let current = search, !current.isOver, let headers else { return false }
        let near = Int(PositionSearch.nearSeconds * Double(headers.sampleRate))
        guard search?.landed(at: .init(offset: current.origin, sample: sample), near: near) == true else {
            return false
        }
        move()
        return true
    }

    // MARK: - Length

    /// Returns the number of samples by the position of the last page; nil if the file's size is unknown, or if the page is of
    /// another link.
    private func endSample() async throws(PlaybackError) -> Int? {
        guard let beginning = feed.beginning, let total = reading.total, total > 0 else { return nil }
        var tail = ResourceReading(resource, opened: nil, total: total)
        tail.move(to: max(0, total - Self.tailSize))
        var bytes: [UInt8] = []
        while bytes.count < Self.tailSize, let piece = try await tail.next() { bytes += piece }
        guard let end = OggFeed.lastPosition(in: bytes, serial: beginning.serial) else { return nil }
        return max(0, end - beginning.position - beginning.skipped)
    }
}
