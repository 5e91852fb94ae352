internal import MPEGAudio
internal import MusicShared

/// Reads the stream of a station.
///
/// If the connection ends, the next read reconnects, and the timeline continues where it stopped.
final class StationReader: MediaReader {
    private let resource: HTTPResource
    private var run = OpenRun()
    private var titles = TitleInterleave(interval: 0)
    private var feed = FrameFeed()
    private var isPlaced = false
    private var nextTicks = 0
    private var number = 0
    private var lastHeader: MPEGFrameHeader?
    private var outbox: [MediaPiece] = []

    private static let batch = 16
    private static let skipLimit = 1 << 19

    init(resource: HTTPResource, opened run: ByteRun? = nil) {
        self.resource = resource
        if let run { begin(run) }
    }

    /// Whether a response is a continuous stream.
    static func isStation(_ run: ByteRun) -> Bool {
        run.total == nil && run.fields["accept-ranges"]?.lowercased() != "bytes"
            || run.fields["icy-metaint"] != nil || run.fields["icy-name"] != nil
    }

    func next() async throws(PlaybackError) -> MediaPiece? {
        while outbox.isEmpty {
            if run.current == nil { begin(try await resource.open(at: 0)) }
            if let open = run.current { try ProgressiveReader.requireAudio(open) }
            guard let piece = try await run.next() else {
                throw PlaybackError(.connectionLost, "the station closed the connection")
            }
            for part in titles.take(piece) {
                switch part {
                case .sound(let sound):
                    feed.append(sound)
                    takeUnits()
                case .title(let title): outbox.append(.title(title))
                }
            }
            if feed.frameCount == 0, feed.skippedBytes > Self.skipLimit {
                throw PlaybackError(.notMP3, "the station does not send MP3 audio")
            }
        }
        return outbox.removeFirst()
    }

    private func begin(_ run: ByteRun) {
        self.run = OpenRun(run)
        titles = TitleInterleave(interval: run.fields["icy-metaint"].flatMap { Int($0) } ?? 0)
        feed = FrameFeed()
        isPlaced = false
        var facts = MediaFacts()
        facts.isLive = true
        facts.station = MediaFacts.Station(
            name: run.fields["icy-name"], genre: run.fields["icy-genre"], address: run.fields["icy-url"],
            bitRate: run.fields["icy-br"].flatMap { Int($0.prefix { $0 != "," }) }.map { $0 * 1000 })
        outbox.append(.facts(facts))
    }

    private func takeUnits() {
        var frames: [MediaFrame] = []
        func handOver() {
            if !frames.isEmpty { outbox.append(.frames(frames)) }
            frames = []
        }
        while let unit = feed.next() {
            guard case .frame(let frame) = unit else { continue }
            let isOther = lastHeader.map {
                $0.sampleRate != frame.header.sampleRate || $0.channelCount != frame.header.channelCount
            }
            if !isPlaced || isOther == true {
                handOver()
                isPlaced = true
                number = 0
                outbox.append(.begin(soundFrom: nextTicks))
            }
            lastHeader = frame.header
            let placed = MediaFrame(frame, startTicks: nextTicks, number: number)
            number += 1
            nextTicks = placed.endTicks
            frames.append(placed)
            if frames.count == Self.batch { handOver() }
        }
        handOver()
    }
}
