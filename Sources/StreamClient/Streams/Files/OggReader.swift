internal import AudioFrames
internal import MPEGAudio
internal import MusicShared
internal import OggAudio

/// Reads the packets of an Ogg file with Opus or Vorbis as its bytes arrive.
///
/// A position is found by reading up to it without decoding, so that it is exact in any file, chained ones too.
final class OggReader: MediaReader {
    /// Number of packets per piece.
    private static let batch = 32
    /// Number of bytes without a page after which the data is rejected.
    private static let skipLimit = 1 << 22
    /// Bytes at the end of a file in which its last page begins.
    private static let tailSize = 1 << 17

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
                facts.durationSeconds = try await length()
                outbox.insert(.facts(facts), at: 0)
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
                guard link == 1 else { continue }
                facts.replayGain = comments.flatMap {
                    ReplayGainValues(vorbisComments: $0, isOpus: found.isOpus)
                }
                needsLength = true
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

    // MARK: - Length

    /// Returns the duration by the position of the last page; nil if the file's size is unknown, or if the page is of another link.
    private func length() async throws(PlaybackError) -> Double? {
        guard let headers, let beginning = feed.beginning, let total = reading.total, total > 0 else {
            return nil
        }
        var tail = ResourceReading(resource, opened: nil, total: total)
        tail.move(to: max(0, total - Self.tailSize))
        var bytes: [UInt8] = []
        while bytes.count < Self.tailSize, let piece = try await tail.next() { bytes += piece }
        guard let end = OggFeed.lastPosition(in: bytes, serial: beginning.serial) else { return nil }
        return Double(max(0, end - beginning.position - beginning.skipped)) / Double(headers.sampleRate)
    }
}
