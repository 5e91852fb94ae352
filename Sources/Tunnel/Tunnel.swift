internal import Foundation
public import MusicShared

/// A tunnel from the internet to the host, made by Cloudflare's program `cloudflared`, which runs as long as this does and is
/// started again when it ends.
///
/// @unchecked: what changes is under the lock.
public final class Tunnel: @unchecked Sendable {
    /// Seconds before the program is started again: doubled each time, from the first to the last.
    private static let delays = 1.0...60.0
    /// After a connection that lasted so many seconds, the first delay holds again.
    private static let soundSeconds = 60.0
    /// Seconds that the program has for its end.
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
    /// - Parameter onChange: told how the tunnel stands, at first and whenever that changes, on a thread that must not be
    ///   kept.
    /// - Throws: ``TunnelError/Code/notInstalled`` where the program is not there.
    public init(
        _ settings: TunnelSettings, onChange: @escaping @Sendable (TunnelReport) -> Void
    ) throws(TunnelError) {
        _ = try settings.executable()
        self.settings = settings
        self.onChange = onChange
        current = TunnelReport(mode: settings.mode, url: settings.knownURL)
        onChange(current)
        // One thread for all of the program's runs: the program goes with the thread that started it.
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

    /// How it stands.
    public var report: TunnelReport {
        lock.lock()
        defer { lock.unlock() }
        return current
    }

    /// Ends the program. Waits until it has ended.
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

    /// Under the lock: sends a signal to the program and its children.
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
            lock.lock()
            let deadline = Date(timeIntervalSinceNow: delay)
            while !isEnding, lock.wait(until: deadline) {}
            lock.unlock()
            delay = min(delay * 2, Self.delays.upperBound)
            if !isOver { change { $0.restartCount += 1 } }
        }
        change { $0.state = .ended }
    }

    private var isOver: Bool {
        lock.lock()
        defer { lock.unlock() }
        return isEnding
    }

    /// Runs the program to its end.
    /// - Returns: whether it had a connection.
    private func runOnce() -> Bool {
        var wasConnected = false
        do throws(TunnelError) {
            let program = try ChildProgram(
                path: try settings.executable(), arguments: settings.arguments,
                environment: settings.environment)
            lock.lock()
            processID = program.processID
            // It may have been asked to end before there was anything to be ended.
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
            change { report in
                report.state = .waiting
                report.url = settings.knownURL
                report.message = [ending, output.complaint].compactMap { $0 }.joined(separator: ": ")
            }
        } catch {
            change { report in
                report.state = .waiting
                report.message = error.message
            }
        }
        return wasConnected
    }

    /// Changes the report, and tells of it where it is another then.
    /// - Returns: whether the tunnel was asked to end.
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
    /// The tunnel's address where it is known beforehand.
    var knownURL: String? { mode == .named ? hostName.map { "https://\($0)" } : nil }
}
