internal import Foundation
internal import HTTPClient
package import MusicShared
internal import Threads

/// The connection to one station, shared by all its listeners, and the station's timeshift.
///
/// Runs on a thread of its own. Reconnects after failures, and ends when no one has used it for a while.
package final class StationRelay: Sendable {
    private struct State {
        var isStopped = false
        var lastUse = ContinuousClock.now
        var connection = StationTimeline.State.connecting
        var message: String?
        var failure: RelayError?
        var listener: (any StationListener)?
        /// A listener that the thread has not started yet.
        var newListener: (any StationListener)?
    }

    /// How far back a recording may start, in milliseconds.
    private static let longestLookBack = 600_000.0

    /// Station ID.
    package let stationID: Int
    /// The address of the station, which may hold secrets.
    let address: String
    private let settings: RelaySettings
    private let opener: StationOpener
    private let timeshift: Timeshift
    private let state: Turnstile<State>

    init(stationID: Int, address: String, folder: String, settings: RelaySettings, loop: TransferLoop)
        throws(RelayError)
    {
        self.stationID = stationID
        self.address = address
        self.settings = settings
        let state = Turnstile(State())
        self.state = state
        opener = StationOpener(loop: loop, policy: AddressPolicy(allowed: settings.allowedNetworks)) {
            state.read(\.isStopped)
        }
        // By the clock, so that no number is used again after a restart: segments are cached by their addresses.
        timeshift = try Timeshift(
            folder: folder, firstNumber: Int(Date().timeIntervalSince1970) - 1_577_836_800, settings: settings
        )
    }

    // MARK: For listeners

    /// Notes that someone listens.
    package func use() { state.change { $0.lastUse = .now } }

    /// The timeshift and the state of the connection.
    /// - Parameter number: only segments after this number are returned; nil for all.
    package func timeline(after number: Int? = nil) -> StationTimeline {
        let content = timeshift.content
        let (connection, message) = state.read { ($0.connection, $0.message) }
        return StationTimeline(
            state: connection, message: message,
            segments: content.entries.map(\.segment).filter { number == nil || $0.number > number ?? 0 },
            firstNumber: content.entries.first?.segment.number,
            firstMilliseconds: content.entries.first?.segment.startMilliseconds, titles: content.titles)
    }

    /// The title on air; nil if none was reported.
    package var currentTitle: String? { timeshift.currentTitle.flatMap { $0.text.isEmpty ? nil : $0.text } }

    /// The reason why there is no connection; nil while audio arrives.
    package var failure: RelayError? { state.read(\.failure) }

    /// Whether there is audio.
    package var hasAudio: Bool { !timeshift.content.entries.isEmpty }

    /// Size of the timeshift in bytes.
    package var byteCount: Int { timeshift.byteCount }

    /// The path of a segment's file; nil if it is not kept.
    package func path(ofSegment number: Int, _ format: StationFormat) -> String? {
        timeshift.path(ofSegment: number, format)
    }

    /// The timeshift as a live HLS playlist (RFC 8216), with the time and the title of each segment.
    /// - Parameter query: appended to the addresses of segments.
    package func playlist(query: String = "") -> String {
        let content = timeshift.content
        var playlist = LivePlaylist(
            targetSeconds: settings.segmentSeconds, firstNumber: content.entries.first?.segment.number ?? 0,
            lostDiscontinuities: content.lostDiscontinuities)
        var titles = content.titles[...]
        for entry in content.entries {
            while let next = titles.dropFirst().first,
                next.startMilliseconds <= entry.segment.startMilliseconds
            {
                titles = titles.dropFirst()
            }
            let title = titles.first.flatMap { $0.startMilliseconds < entry.endMilliseconds ? $0.text : nil }
            playlist.add(entry.segment, title: title ?? "", query: query)
        }
        return playlist.text
    }

    /// Hands all audio to a listener from now on; from the start of the current title, where that is kept and not long ago. While there
    /// is a listener, the relay does not end by itself.
    /// - Returns: false if there is a listener already, or the relay has ended.
    package func start(_ listener: any StationListener) -> Bool {
        state.change { state in
            guard state.listener == nil, state.newListener == nil, !state.isStopped else { return false }
            state.newListener = listener
            return true
        }
    }

    /// Ends the calls to the listener.
    package func endListener() {
        let listener = state.change { state in
            defer { (state.listener, state.newListener) = (nil, nil) }
            return state.listener ?? state.newListener
        }
        listener?.relayEnded()
    }

    /// Ends the relay.
    package func stop() { state.change { $0.isStopped = true } }

    /// Whether the relay has been stopped or is idle.
    var isStopped: Bool { state.read(\.isStopped) }

    // MARK: The thread

    /// Runs until the relay is stopped or idle.
    func run() {
        var builder = SegmentBuilder(wantedSeconds: settings.segmentSeconds)
        var attempts = 0
        while !stopIfIdle() {
            do throws(RelayError) {
                let source = try opener.open(address)
                attempts += 1
                try store(builder.connect(atMilliseconds: Self.now))
                try follow(source, &builder) { attempts = 0 }
            } catch {
                noteFailure(error)
                pause(after: attempts)
                attempts += 1
            }
        }
        endListener()
        timeshift.removeAll()
    }

    private static var now: Double { (Date().timeIntervalSince1970 * 1000).rounded() }

    private func follow(
        _ source: any StationSource, _ builder: inout SegmentBuilder, succeeded: () -> Void
    ) throws(RelayError) {
        var splitter = FrameSplitter()
        while true {
            guard !stopIfIdle() else { throw RelayError(.stopped, "stopped") }
            for part in try source.next() {
                startNewListener(builder)
                switch part {
                case .title(let title): note(title, at: builder.milliseconds)
                case .sound(let bytes):
                    for frame in try splitter.take(bytes) {
                        let time = builder.milliseconds
                        for segment in builder.add(frame) {
                            try store(segment)
                            succeeded()
                            state.change { ($0.connection, $0.message, $0.failure) = (.live, nil, nil) }
                        }
                        state.read(\.listener)?.received(frame, atMilliseconds: time)
                    }
                }
            }
        }
    }

    private func store(_ segment: StationSegment?) throws(RelayError) {
        if let segment { try timeshift.add(segment) }
    }

    private func note(_ title: StationTitle, at time: Double) {
        guard timeshift.add(title: title.text, atMilliseconds: time), let text = timeshift.currentTitle?.text
        else { return }
        state.read(\.listener)?.titleChanged(to: text, atMilliseconds: time)
    }

    /// Hands the audio since the start of the current title to a new listener.
    private func startNewListener(_ builder: SegmentBuilder) {
        guard let listener = state.read(\.newListener) else { return }
        let title = timeshift.currentTitle
        let now = builder.milliseconds
        if let title { listener.titleChanged(to: title.text, atMilliseconds: title.startMilliseconds) }
        if let start = title?.startMilliseconds, now - start <= Self.longestLookBack {
            for (frame, time) in timeshift.frames(fromMilliseconds: start) {
                listener.received(frame, atMilliseconds: time)
            }
            var time = now - builder.frames.reduce(0) { $0 + $1.seconds * 1000 }
            for frame in builder.frames {
                if time >= start { listener.received(frame, atMilliseconds: time) }
                time += frame.seconds * 1000
            }
        }
        state.change { state in
            // It may have been ended meanwhile.
            if state.newListener != nil { (state.listener, state.newListener) = (listener, nil) }
        }
    }

    private func noteFailure(_ error: RelayError) {
        state.read(\.listener)?.connectionWasLost()
        state.change { state in
            if state.connection == .live { state.connection = .reconnecting }
            state.message = error.sentence
            state.failure = error
        }
    }

    /// Waits before the next attempt: longer after each one, and by a random time.
    private func pause(after attempts: Int) {
        let longest = min(settings.longestPause, 0.5 * Double(1 << min(attempts, 10)))
        let end = ContinuousClock.now + .seconds(Double.random(in: 0.5...1) * longest)
        while ContinuousClock.now < end, !stopIfIdle() {
            let left = ContinuousClock.now.duration(to: end) / .seconds(1)
            _ = state.wait(upTo: min(0.5, max(0.01, left))) { $0.isStopped ? true : nil }
        }
    }

    /// Ends the relay if no one uses it.
    private func stopIfIdle() -> Bool {
        state.change { state in
            let isUsed = state.listener != nil || state.newListener != nil
            if !isUsed, state.lastUse + .seconds(settings.idleSeconds) < .now { state.isStopped = true }
            return state.isStopped
        }
    }
}
