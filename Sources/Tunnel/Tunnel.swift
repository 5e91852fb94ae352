internal import Foundation
public import MusicShared

/// A tunnel from the internet to the host. Cloudflare's program `cloudflared` makes it; it runs as a child process until
/// ``end()`` and is restarted when it exits.
///
/// @unchecked: all mutable state is under the lock.
public final class Tunnel: @unchecked Sendable {
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
    private let lock = NSCondition()
    // Under the lock.
    private var current: TunnelReport
    private var processID: pid_t?
    private var isEnding = false
    private var hasEnded = false

    /// Starts the program.
    /// - Parameter onChange: receives the tunnel's state, at first and after each change, on a thread that it must not
    ///   block.
    /// - Throws: ``TunnelError/Code/notInstalled`` if the program is not installed.
    public init(
        _ settings: TunnelSettings, onChange: @escaping @Sendable (TunnelReport) -> Void
    ) throws(TunnelError) {
        _ = try settings.executable()
        self.settings = settings
        self.onChange = onChange
        current = TunnelReport(mode: settings.mode, url: settings.knownURL)
        onChange(current)
        // One thread for all runs of the program: it is killed when the thread that started it ends.
        let thread = Thread { [self] in
            run()
            lock.lock()
            hasEnded = true
            lock.broadcast()
            lock.unlock()
        }
        thread.name = "tunnel"
        thread.stackSize = 1 << 20
        thread.start()
    }

    /// The current state.
    public var report: TunnelReport {
        lock.lock()
        defer { lock.unlock() }
        return current
    }

    /// Stops restarting the program. Call it before ``end()`` when the host is asked to stop: a system that stops the host
    /// may stop all of its programs at once.
    public func expectEnd() {
        lock.lock()
        isEnding = true
        lock.broadcast()
        lock.unlock()
    }

    /// Stops the program and waits until it has exited.
    public func end() {
        lock.lock()
        defer { lock.unlock() }
        isEnding = true
        lock.broadcast()
        signal(SIGTERM)
        let deadline = Date(timeIntervalSinceNow: Self.farewellSeconds)
        while !hasEnded, lock.wait(until: deadline) {}
        signal(SIGKILL)
        while !hasEnded { lock.wait() }
    }

    /// Sends a signal to the program and its children. Call it with the lock held.
    private func signal(_ number: Int32) {
        if let processID { kill(-processID, number) }
    }

    private func run() {
        var delay = Self.delays.lowerBound
        while !change({ _ in }) {
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
        lock.lock()
        let deadline = Date(timeIntervalSinceNow: seconds)
        while !isEnding, lock.wait(until: deadline) {}
        lock.unlock()
    }

    private var isOver: Bool {
        lock.lock()
        defer { lock.unlock() }
        return isEnding
    }

    /// Runs the program until it exits.
    /// - Returns: whether it had a connection.
    private func runOnce() -> Bool {
        var wasConnected = false
        do throws(TunnelError) {
            let program = try ChildProgram(
                path: try settings.executable(), arguments: settings.arguments,
                environment: settings.environment)
            lock.lock()
            processID = program.processID
            // The end may have been requested before the program was started.
            if isEnding { signal(SIGTERM) }
            lock.unlock()
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
            lock.lock()
            processID = nil
            lock.unlock()
            let ending = program.reap()
            waitForEnd(seconds: Self.endingSeconds)
            change { report in
                // Asked to end, it does not wait to be started again.
                guard !isEnding else { return }
                report.state = .waiting
                report.url = settings.knownURL
                report.message = [ending, output.complaint].compactMap { $0 }.joined(separator: ": ")
            }
        } catch {
            change { report in
                guard !isEnding else { return }
                report.state = .waiting
                report.message = error.message
            }
        }
        return wasConnected
    }

    /// Updates the report, and calls `onChange` if it differs.
    /// - Returns: whether the tunnel has been asked to end.
    @discardableResult
    private func change(_ body: (inout TunnelReport) -> Void) -> Bool {
        lock.lock()
        let before = current
        body(&current)
        let after = current
        let isEnding = isEnding
        lock.unlock()
        if before != after { onChange(after) }
        return isEnding
    }
}

extension TunnelSettings {
    /// The tunnel's address if it is known in advance.
    var knownURL: String? { mode == .named ? hostName.map { "https://\($0)" } : nil }
}
