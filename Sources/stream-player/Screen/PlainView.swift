import CommandLineProgram
import MusicShared
import StreamClient
import StreamClientHost

/// Prints playback events as lines, for use without a terminal.
struct PlainView {
    private enum Input: Sendable {
        case event(PlaybackEvent)
        case tick
        case end
    }

    /// The last output, to avoid repetition.
    private struct Printed {
        var station: String?
        var title: String?
        /// Percentage in the last buffering line; nil while playback is not waiting.
        var percent: Int?
        /// Number of ticks for which playback has been waiting.
        var waits = 0
        /// Whether the current item has started to play.
        var isStarted = false
        /// Whether the last line reported a connection problem.
        var isDisturbed = false
    }

    private static let tick = Duration.milliseconds(500)
    /// Step between two buffering lines, in percent.
    private static let step = 10

    private let engine: PlaybackEngine
    private let reporter: PlaybackReporter?

    /// - Parameter reporter: reports whether the connection to the host is being re-established, if a host's tracks are
    ///   played.
    init(_ engine: PlaybackEngine, reporter: PlaybackReporter?) {
        self.engine = engine
        self.reporter = reporter
    }

    /// Handles events until playback has ended.
    /// - Returns: the exit code.
    func follow(_ events: AsyncStream<PlaybackEvent>) async -> Int32 {
        let (inputs, inlet) = AsyncStream.makeStream(of: Input.self)
        let tasks = [
            Task {
                for await event in events { inlet.yield(.event(event)) }
                inlet.yield(.end)
            },
            Task {
                while (try? await Task.sleep(for: Self.tick)) != nil { inlet.yield(.tick) }
            },
        ]
        defer { for task in tasks { task.cancel() } }
        var printed = Printed()
        var hasFailed = false
        for await input in inputs {
            switch input {
            case .end: return 1
            case .tick: await showBuffering(&printed)
            case .event(.failed(let item, let error)):
                // A transient error either resolves itself or stops playback.
                if !error.isTransient { hasFailed = true }
                Terminal.complain("\(Self.name(item)): \(AddressMask.masked(error.description))")
            case .event(.stateChanged(.stopped(let reason))):
                guard case .error(let error) = reason else { return hasFailed ? 1 : 0 }
                guard error.isTransient, let reporter, await reporter.isReconnecting else { return 1 }
                Terminal.complain("waiting for the host to reconnect")
            case .event(let event): show(event, &printed)
            }
        }
        return 1
    }

    private func show(_ event: PlaybackEvent, _ printed: inout Printed) {
        switch event {
        case .itemStarted(let item, _):
            (printed.title, printed.isStarted) = (nil, true)
            (printed.percent, printed.isDisturbed) = (nil, false)
            Terminal.complain("playing \(Self.name(item))")
        case .factsChanged(let facts):
            guard let station = facts.station, let name = station.name, name != printed.station else {
                return
            }
            printed.station = name
            let rest = [station.genre, station.bitRate.map { "\($0 / 1000) kbit/s" }].compactMap { $0 }
            let note = rest.isEmpty ? "" : " (\(rest.joined(separator: ", ")))"
            Terminal.complain("station \(Terminal.harmless(name + note))")
        case .titleChanged(let title):
            guard !title.text.isEmpty, title.text != printed.title else { return }
            printed.title = title.text
            Terminal.complain("now \(Terminal.harmless(title.text))")
        case .noticed(let notice?):
            switch notice {
            case .streaming, .buffering, .failed: break
            case .noConnection, .retrying:
                printed.isDisturbed = true
                Terminal.complain(AddressMask.masked(notice.description))
            }
        case .stateChanged(.playing):
            if printed.isStarted, printed.isDisturbed || printed.percent != nil {
                Terminal.complain("resumed")
            }
            printed.isDisturbed = false
            (printed.percent, printed.waits) = (nil, 0)
        case .stateChanged(.starting): printed.isStarted = false
        default: break
        }
    }

    private func showBuffering(_ printed: inout Printed) async {
        let now = await engine.snapshot()
        guard let progress = now.bufferingProgress else {
            printed.waits = 0
            return
        }
        printed.waits += 1
        // Do not report short waits; an offline host is reported differently.
        guard printed.waits > 1, now.notice != .noConnection else { return }
        let percent = Int(progress * 100) / Self.step * Self.step
        // The percentage drops if the network turns out to be slow and more data is required.
        guard percent > printed.percent ?? -1 else { return }
        printed.percent = percent
        Terminal.complain("Buffering \(percent) %")
    }

    /// Returns artist and title.
    static func name(_ item: PlayableItem) -> String {
        Terminal.harmless(item.artist.map { "\($0) - \(item.title)" } ?? item.title)
    }
}
