internal import MPEGAudio
internal import MusicShared

/// Reads the frames of an HLS stream.
///
/// Consecutive segments share one frame parser, so the frames come out as if the stream had not been split. After a variant
/// switch the decoder is restarted a few frames early, and output continues with the sample after the last one of the
/// previous variant.
final class HLSReader: MediaReader {
    private let source: HLSSource
    private var target: Double

    private var variants: [HLSMasterPlaylist.Variant] = []
    private var variant: Int?
    private var media: HLSMediaPlaylist?
    private var mediaAddress: String
    private var trimming = HLSTrimming()
    private var sessionData: [String: String] = [:]
    private var facts = MediaFacts()

    /// Sequence number of the segment being read, or the next one.
    private var sequence = 0
    private var segment: SegmentRun?
    /// The parser; nil before the first segment and where a new one is needed.
    private var feed: SegmentFeed?
    /// The initialization segment of the parser's segments.
    private var map: String?
    /// Position of the parser's first frame; nil once that frame has been read.
    private var feedStart: FeedStart?
    private var soundFrom = 0
    private var nextTicks = 0
    private var rate = 44_100
    /// Number of the next frame as reported; frames are skipped until a decoder may start.
    private var number = 0
    private var isBegun = false
    private var reloadAt = 0.0
    private var outbox: [MediaPiece] = []
    private var isOver = false

    /// The position of a parser's first frame.
    private enum FeedStart {
        /// At a segment boundary: the position in seconds on the untrimmed timeline according to the playlist, which is
        /// rounded. Frames are counted from `countedFrom`, where a decoder last restarted.
        case segment(seconds: Double, countedFrom: Double)
        /// Where the previous frame ended.
        case here
    }

    private static let batch = 32
    private static let skipLimit = 1 << 19

    init(_ source: HLSSource, from seconds: Double) {
        self.source = source
        target = max(0, seconds)
        mediaAddress = source.address
    }

    func next() async throws(PlaybackError) -> MediaPiece? {
        while true {
            if !outbox.isEmpty { return outbox.removeFirst() }
            if isOver { return nil }
            guard let media else {
                try await open()
                continue
            }
            if segment != nil {
                try await readSegment()
            } else if let place = place(in: media) {
                try await enter(media.segments[place])
            } else if media.isEnded {
                finish()
            } else {
                try await reload(media)
            }
        }
    }

    // MARK: - Playlists

    private func open() async throws(PlaybackError) {
        if variants.isEmpty {
            switch try await source.playlist(source.address) {
            case .media(let media): return begin(media)
            case .master(let master):
                sessionData = master.sessionData
                variants = master.variants
                facts.variantBandwidths = variants.map(\.bandwidth)
            }
        }
        let choice = source.context.governor.choose(among: facts.variantBandwidths, current: nil)
        mediaAddress = variants[choice].address
        guard case .media(let media) = try await source.playlist(mediaAddress) else {
            throw PlaybackError(.badPlaylist, "the master playlist refers to another master playlist")
        }
        choose(choice)
        begin(media)
    }

    private func choose(_ choice: Int) {
        variant = choice
        facts.variantBandwidth = variants[choice].bandwidth
        mediaAddress = variants[choice].address
        trimming = HLSTrimming(
            sessionData, isConverted: !variants[choice].isFLAC && variants.contains { $0.isFLAC })
    }

    private func begin(_ media: HLSMediaPlaylist) {
        self.media = media
        facts.isLive = !media.isEnded
        if media.isEnded {
            facts.durationSeconds = media.seconds
        } else {
            reloadAt = source.context.clock.seconds + media.targetSeconds
        }
        go(to: target, in: media)
        outbox.append(.facts(facts))
    }

    /// Moves to a position, including the frames needed before it.
    private func go(to seconds: Double, in media: HLSMediaPlaylist) {
        feed = nil
        segment = nil
        guard media.isEnded else {
            // As close to the live edge as the standard permits: three target durations (RFC 8216 §6.3.3).
            var rest = 3 * media.targetSeconds
            let start = media.segments.lastIndex { segment in
                rest -= segment.seconds
                return rest <= 0
            }
            sequence = media.segments[safe: start ?? 0]?.sequence ?? 0
            feedStart = .here
            soundFrom = 0
            return
        }
        soundFrom = Int((seconds * Double(StreamTime.ticksPerSecond)).rounded())
        // Start a few frames early, so that the first audible frame finds its bit reservoir and filter state.
        let wanted = seconds > 0 ? seconds + (media.segments.first?.map == nil ? leadSeconds : 0) : 0
        var start = 0.0
        var origin = 0.0
        var place = 0
        while place + 1 < media.segments.count, start + media.segments[place].seconds <= wanted {
            start += media.segments[place].seconds
            place += 1
            if media.segments[place].isDiscontinuity { origin = start }
        }
        sequence = media.segments[safe: place]?.sequence ?? 0
        feedStart = .segment(seconds: start, countedFrom: origin)
    }

    /// Offset in seconds from a track position to the first frame to read for it, on the untrimmed timeline. Until a frame
    /// has been read, MPEG-1 at 44.1 kHz is assumed.
    private var leadSeconds: Double {
        let sampleCount = source.header?.samplesPerFrame ?? 1152
        let preroll = Preroll.longest(sampleCount: sampleCount) * sampleCount
        return Double(trimming.headSamples - preroll) / Double(source.header?.sampleRate ?? 44_100)
    }

    private func place(in media: HLSMediaPlaylist) -> Int? {
        guard let first = media.segments.first else { return nil }
        if sequence < first.sequence {
            // The playlist advanced faster than it was read.
            sequence = first.sequence
            startAnew()
        }
        let place = sequence - first.sequence
        return place < media.segments.count ? place : nil
    }

    private func reload(_ media: HLSMediaPlaylist) async throws(PlaybackError) {
        let clock = source.context.clock
        do {
            try await clock.sleep(seconds: reloadAt - clock.seconds)
        } catch {
            throw PlaybackError(.cancelled, "cancelled")
        }
        guard case .media(let newer) = try await source.playlist(mediaAddress) else {
            throw PlaybackError(.badPlaylist, "the media playlist was replaced by a master playlist")
        }
        // Reload sooner if nothing has changed (RFC 8216 §6.3.4).
        let wait = newer.segments.last == media.segments.last ? media.targetSeconds / 2 : newer.targetSeconds
        reloadAt = clock.seconds + wait
        self.media = newer
    }

    // MARK: - Variants

    /// Switches to another variant if appropriate, at the end of the current segment.
    private func considerQuality() async {
        guard variants.count > 1, let variant, media?.isEnded == true, feedStart == nil else { return }
        let choice = source.context.governor.choose(among: facts.variantBandwidths, current: variant)
        guard choice != variant,
            // If the other playlist is unavailable, stay with the current variant.
            case .media(let other)? = try? await source.playlist(variants[choice].address), other.isEnded
        else { return }
        drain()
        choose(choice)
        media = other
        outbox.append(.facts(facts))
        go(to: StreamTime.seconds(nextTicks), in: other)
        soundFrom = nextTicks
    }

    // MARK: - Segments

    private func enter(_ next: HLSMediaPlaylist.Segment) async throws(PlaybackError) {
        let before = variant
        await considerQuality()
        guard before == variant else { return }
        if next.isDiscontinuity || next.map != map, feedStart == nil { startAnew() }
        if feed == nil {
            if let address = next.map {
                feed = .flac(FragmentFeed(try await source.information(address)))
            } else {
                feed = .mpeg(FrameFeed())
            }
            map = next.map
        }
        segment = SegmentRun(next, source)
    }

    /// Starts a new parser, because the following data does not continue the previous data.
    private func startAnew() {
        drain()
        feed = nil
        feedStart = .here
        soundFrom = nextTicks
    }

    private func readSegment() async throws(PlaybackError) {
        guard let segment else { return }
        if let piece = try await segment.next() {
            feed?.append(piece)
            takeUnits(mayGoBack: true)
            if let feed, feed.frameCount == 0, feed.skippedBytes > Self.skipLimit {
                throw PlaybackError(.notMP3, "the segments of the stream are not MP3 or FLAC audio")
            }
        } else {
            self.segment = nil
            sequence += 1
        }
    }

    private func drain() {
        feed?.finish()
        takeUnits()
    }

    private func finish() {
        drain()
        guard feedStart == nil else {
            // The stream contains no frames.
            isOver = true
            return outbox.append(.end(tailTrim: 0))
        }
        let end = trimming.sampleCount.map { StreamTime.ticks(ofSample: $0, at: rate) } ?? nextTicks
        outbox.append(.end(tailTrim: max(0, nextTicks - end)))
        isOver = true
    }

    /// - Parameter mayGoBack: whether reading may restart at an earlier segment.
    private func takeUnits(mayGoBack: Bool = false) {
        var frames: [MediaFrame] = []
        while let frame = feed?.next() {
            if let start = feedStart {
                if mayGoBack, goBack(frame, from: start) { return }
                place(frame, at: start)
            }
            if !isBegun, frame.mayBegin(number: number) { begin() }
            let placed = frame.placed(startTicks: nextTicks, number: number)
            nextTicks = placed.endTicks
            number += 1
            guard isBegun else { continue }
            frames.append(placed)
            if frames.count == Self.batch {
                outbox.append(.frames(frames))
                frames = []
            }
        }
        if !frames.isEmpty { outbox.append(.frames(frames)) }
    }

    /// Restarts earlier if the first frame of the stream shows that more preceding frames are needed than assumed.
    private func goBack(_ frame: SegmentFeed.Frame, from start: FeedStart) -> Bool {
        guard source.header == nil, case .mpeg(let frame) = frame else { return false }
        source.header = frame.header
        guard case .segment(let seconds, _) = start, seconds > 0, let media else { return false }
        let target = StreamTime.seconds(soundFrom)
        guard seconds > target + leadSeconds else { return false }
        go(to: target, in: media)
        return true
    }

    /// Determines the position of a parser's first frame.
    private func place(_ frame: SegmentFeed.Frame, at start: FeedStart) {
        feedStart = nil
        rate = frame.sampleRate
        isBegun = false
        number = 0
        if case .segment(let seconds, let origin) = start {
            var samples = Int((seconds * Double(rate)).rounded())
            if case .mpeg(let frame) = frame {
                source.header = frame.header
                // Frames are counted in whole numbers, so round.
                let perFrame = frame.header.samplesPerFrame
                number = Int(((seconds - origin) * Double(rate) / Double(perFrame)).rounded())
                samples = Int((origin * Double(rate)).rounded()) + number * perFrame
            }
            nextTicks = StreamTime.ticks(ofSample: samples - trimming.headSamples, at: rate)
        }
        if let count = trimming.sampleCount {
            facts.durationSeconds = Double(count) / Double(rate)
            outbox.append(.facts(facts))
        }
    }

    /// Restarts the decoder with the next frame.
    private func begin() {
        isBegun = true
        let sample = StreamTime.sample(atTicks: max(0, soundFrom), rate: rate)
        outbox.append(.begin(soundFrom: StreamTime.ticks(ofSample: sample, at: rate)))
    }
}

extension Array {
    /// The element at an index; nil if out of bounds.
    subscript(safe place: Int) -> Element? { indices.contains(place) ? self[place] : nil }
}
