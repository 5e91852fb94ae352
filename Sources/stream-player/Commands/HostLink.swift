import CommandLineProgram
import StreamClient
import StreamClientHost
import StreamClientLinux

/// The remote channel to the host, and the reports sent over it.
struct HostLink {
    /// Reports playback.
    let reporter: PlaybackReporter
    private let outbox: ListeningOutbox
    private let run: Task<Void, Never>

    /// Maximum delay between two reconnect attempts in seconds, without the random part of up to a quarter: playback that
    /// waits for the host resumes within three seconds.
    private static let longestRetrySeconds = 2.4
    /// Seconds to wait at exit for the host to accept the last plays.
    private static let timeoutSeconds = 3.0

    /// Opens the channel. Must be called before playback starts.
    /// - Parameter showsErrors: whether error messages from the host are printed.
    init(_ host: PlayedHost, _ engine: PlaybackEngine, showsErrors: Bool) {
        var pace = RemoteChannel.Pace()
        pace.longestRetrySeconds = Self.longestRetrySeconds
        let channel = RemoteChannel(
            host.connection, appVersion: "stream-player \(ProductVersion.text)", trust: ClientFolder.trust,
            pace: pace)
        outbox = ListeningOutbox(host.connection, client: "stream-player", path: host.outboxPath)
        let reporter = PlaybackReporter(engine, to: channel, outbox: outbox) { message in
            guard showsErrors else { return }
            Terminal.complain("error from the host: \(Terminal.harmless(AddressMask.masked(message)))")
        }
        self.reporter = reporter
        run = Task { await reporter.run() }
    }

    /// Closes the channel after the last plays have been sent, or after a timeout.
    func end() async {
        run.cancel()
        let outbox = outbox
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await outbox.flush() }
            group.addTask { try? await Task.sleep(for: .seconds(Self.timeoutSeconds)) }
            await group.next()
            group.cancelAll()
        }
    }
}
