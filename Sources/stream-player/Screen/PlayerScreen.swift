import CommandLineProgram
import Foundation
import MusicShared
import StreamClient

/// The full-screen interface: draws the screen and handles keys.
struct PlayerScreen {
    /// Interval between redraws in seconds; the host's spectrum frames have a rate of 30 per second.
    private static let interval = 1.0 / 15

    private enum Input: Sendable {
        case event(PlaybackEvent)
        case key(PlayerKey)
        case tick
        case end
    }

    private let engine: PlaybackEngine
    private let visualizer: VisualizerFeed
    private let recordingPath: String?

    static var isPossible: Bool { RawTerminal.isPossible }

    init(_ engine: PlaybackEngine, connection: HostConnection?, recordingPath: String?) {
        self.engine = engine
        self.recordingPath = recordingPath
        visualizer = VisualizerFeed(connection)
    }

    /// Draws and handles input until playback has ended.
    /// - Returns: the exit code.
    func follow(_ events: AsyncStream<PlaybackEvent>) async -> Int32 {
        let terminal = RawTerminal()
        let (inputs, inlet) = AsyncStream.makeStream(of: Input.self, bufferingPolicy: .bufferingNewest(256))
        let tasks = [
            Task {
                for await event in events { inlet.yield(.event(event)) }
                inlet.yield(.end)
            },
            Task { for await key in PlayerKey.pressed() { inlet.yield(.key(key)) } },
            Task {
                while !Task.isCancelled {
                    inlet.yield(.tick)
                    try await Task.sleep(for: .seconds(Self.interval))
                }
            },
        ]
        defer { for task in tasks { task.cancel() } }
        var title: StationTitle?
        var status: Int32 = 0
        var isStoppedByError = false
        for await input in inputs {
            switch input {
            case .tick: await draw(terminal, title)
            case .key(let key): await press(key)
            case .end: return isStoppedByError ? 1 : status
            case .event(.titleChanged(let now)): title = now
            case .event(.itemStarted): title = nil
            // A transient error either resolves itself or stops playback.
            case .event(.failed(_, let error)): if !error.isTransient { status = 1 }
            case .event(.stateChanged(.stopped(let reason))):
                // Keep an error on the screen, so that the user can retry.
                if case .error = reason { isStoppedByError = true } else { return status }
            case .event(.stateChanged(.playing)): isStoppedByError = false
            case .event: continue
            }
        }
        return status
    }

    private func draw(_ terminal: RawTerminal, _ title: StationTitle?) async {
        let now = await engine.snapshot()
        var bands: ArraySlice<UInt8>?
        if let item = now.item {
            bands = await visualizer.bands(of: item, atSeconds: now.positionSeconds)
        }
        let size = RawTerminal.size
        let page = ScreenPage(rows: size.rows, columns: size.columns)
        terminal.draw(page.lines(now, bands: bands, title: title))
    }

    private func press(_ key: PlayerKey) async {
        let now = await engine.snapshot()
        let isStopped: Bool
        if case .stopped = now.state { isStopped = true } else { isStopped = false }
        switch key {
        case .pause: await now.state == .paused ? engine.resume() : engine.pause()
        case .back: await engine.seek(to: now.positionSeconds - 10)
        case .on: await engine.seek(to: now.positionSeconds + 10)
        case .louder: await engine.setVolume(now.volume + 0.05)
        case .softer: await engine.setVolume(now.volume - 0.05)
        case .next: await engine.next()
        case .previous: await engine.previous()
        case .record where isStopped: await engine.retry()
        case .record: await record(now)
        case .quit:
            await engine.stop()
            if isStopped { await engine.shutDown() }
        }
    }

    private func record(_ now: PlaybackSnapshot) async {
        if now.recordingPath != nil { return await engine.stopRecording() }
        let stamp = Date().formatted(.iso8601.timeSeparator(.omitted))
        let path = recordingPath.map { "\($0)-\(stamp)" } ?? "recording-\(stamp).mp3"
        // If the file cannot be written, the status line simply does not show a recording.
        try? await engine.startRecording(to: path)
    }
}
