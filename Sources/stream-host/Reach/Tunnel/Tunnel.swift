import Foundation
import MusicShared
import Threads

/// A tunnel from the internet to the host. Cloudflare's program `cloudflared` makes it; it runs as a child process until
/// ``end()`` and is restarted when it exits.
final class Tunnel: Sendable {
    /// Seconds before the program is restarted: starts at the lower bound and doubles each time, up to the upper one.
    private static let delays = 1.0...60.0
    /// A connection that lasted this many seconds resets the delay.
    private static let soundSeconds = 60.0
    /// Seconds to wait for ``expectEnd()`` after the program has exited, before it counts as a failure.
    private static let endingSeconds = 0.25
    /// Seconds that the program has to exit before it is killed.
    private static let farewellSeconds = 5.0

    private let settings: TunnelSettings
    private let onChange: @Sendable (TunnelReport) -> Void
    private let state: Turnstile<State>

    private struct State {
        var current: TunnelReport
        var processID: pid_t?
        var isEnding = false
        var hasEnded = false

        /// Sends a signal to the program and its children.
        func signal(_ number: Int32) {
            if let processID { kill(-processID, number) }
        }
    }

    /// Starts the program.
    /// - Parameter onChange: receives the tunnel's state, at first and after each change, on a thread that it must not
    ///   block.
    /// - Throws: ``TunnelError/Code/notInstalled`` if the program is not installed.
    init(
        _ settings: TunnelSettings, onChange: @escaping @Sendable (TunnelReport) -> Void
    ) throws(TunnelError) {
        _ = try settings.executable()
        self.settings = settings
        self.onChange = onChange
        let first = TunnelReport(mode: settings.mode, url: settings.knownURL)
        state = Turnstile(State(current: first))
        onChange(first)
        // One thread for all runs of the program: it is killed when the thread that started it ends.
        DedicatedThread.start("tunnel", stackBytes: 1 << 20) { [self] in
            run()
            state.change { $0.hasEnded = true }
        }
    }

    /// The current state.
    var report: TunnelReport { state.read { $0.current } }

    /// Stops restarting the program. Call it before ``end()`` when the host is asked to stop: a system that stops the host
    /// may stop all of its programs at once.
    func expectEnd() { state.change { $0.isEnding = true } }

    /// Stops the program and waits until it has exited.
    func end() {
        state.change { state in
            state.isEnding = true
            state.signal(SIGTERM)
        }
        if state.wait(upTo: Self.farewellSeconds, { $0.hasEnded ? () : nil }) != nil { return }
        state.read { $0.signal(SIGKILL) }
        state.wait { $0.hasEnded ? () : nil }
    }

    private func run() {
        var delay = Self.delays.lowerBound
        while !isOver {
            let start = Date()
            let wasConnected = runOnce()
            if wasConnected, Date().timeIntervalSince(start) > Self.soundSeconds {
                delay = Self.delays.lowerBound
            }
            waitForEnd(seconds: delay)
            delay = min(delay * 2, Self.delays.upperBound)
            if !isOver { change { $0.restartCount += 1 } }
        }
        change { $0.state = .ended }
    }

    /// Waits until the tunnel is asked to end, for some time at most.
    private func waitForEnd(seconds: Double) {
        _ = state.wait(upTo: seconds) { $0.isEnding ? () : nil }
    }

    private var isOver: Bool { state.read { $0.isEnding } }

    /// Runs the program until it exits.
    /// - Returns: whether it had a connection.
    private func runOnce() -> Bool {
        var wasConnected = false
        do throws(TunnelError) {
            let program = try ChildProgram(
                path: try settings.executable(), arguments: settings.arguments,
                environment: settings.environment)
            state.change { state in
                state.processID = program.processID
                // The end may have been requested before the program was started.
                if state.isEnding { state.signal(SIGTERM) }
            }
            var output = TunnelOutput(origin: settings.origin, url: settings.knownURL)
            change { report in
                report.state = .starting
                report.url = output.url
            }
            program.forEachLine(longest: TunnelOutput.longestLine) { line in
                output.read(line)
                let isConnected = !output.connections.isEmpty
                wasConnected = wasConnected || isConnected
                change { report in
                    report.state = isConnected ? .connected : .starting
                    report.url = output.url
                    report.message = output.complaint
                }
            }
            program.wait()
            state.change { $0.processID = nil }
            let ending = program.reap()
            waitForEnd(seconds: Self.endingSeconds)
            change(unlessEnding: true) { report in
                report.state = .waiting
                report.url = settings.knownURL
                report.message = [ending, output.complaint].compactMap { $0 }.joined(separator: ": ")
            }
        } catch {
            change(unlessEnding: true) { report in
                report.state = .waiting
                report.message = error.message
            }
        }
        return wasConnected
    }

    /// Updates the report, and calls `onChange` if it differs.
    /// - Parameter unlessEnding: whether nothing changes at the end: the program does not wait to be started again then.
    private func change(unlessEnding: Bool = false, _ body: (inout TunnelReport) -> Void) {
        let (before, after) = state.change { state in
            let before = state.current
            if !unlessEnding || !state.isEnding { body(&state.current) }
            return (before, state.current)
        }
        if before != after { onChange(after) }
    }
}

extension TunnelSettings {
    /// The tunnel's address if it is known in advance.
    var knownURL: String? { mode == .named ? hostName.map { "https://\($0)" } : nil }
}
