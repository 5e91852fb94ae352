import Foundation

/// Standard output and standard error.
package enum Terminal {
    /// Whether standard error is a terminal that can redraw a line.
    package static let isInteractive = isatty(STDERR_FILENO) == 1 && environment("TERM") != "dumb"

    /// Width in columns.
    package static var columns: Int {
        var size = winsize()
        for descriptor in [STDOUT_FILENO, STDERR_FILENO]
        where ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 {
            return Int(size.ws_col)
        }
        return environment("COLUMNS").flatMap { Int($0) } ?? 80
    }

    /// Ends the program at once, without waiting for other threads.
    ///
    /// Does not call `exit`, which frees the libraries' memory while other threads, such as one that is connecting, still use it.
    package static func end(_ status: Int32) -> Never {
        fflush(nil)
        _exit(status)
    }

    /// Writes a line to standard output.
    package static func print(_ text: String) { write(text + "\n", to: STDOUT_FILENO) }

    /// Writes a line to standard error.
    package static func complain(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

    /// Writes text as it is.
    package static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            // The reader has closed the pipe: nothing more can be written.
            guard written > 0 else { return }
            bytes = bytes.dropFirst(written)
        }
    }

    /// Reads a password from standard input: command lines are visible to all processes. On a terminal it is not shown.
    /// - Parameter prompt: printed on a terminal.
    package static func readPassword(_ prompt: String) -> String {
        guard isatty(STDIN_FILENO) == 1 else { return readLine() ?? "" }
        complain(prompt)
        var shown = termios()
        guard tcgetattr(STDIN_FILENO, &shown) == 0 else { return readLine() ?? "" }
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown) }
        return readLine() ?? ""
    }

    /// The time now as ISO 8601 in UTC, to the millisecond: `2026-03-01T12:00:00.000Z`.
    package static func timestamp() -> String { timestamp(Date().timeIntervalSince1970) }

    /// A time in seconds since 1970 in the same form.
    static func timestamp(_ secondsSince1970: Double) -> String {
        let milliseconds = Int((secondsSince1970 * 1000).rounded(.down))
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func digits(_ value: Int, _ count: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let date = [
            digits(Int(parts.tm_year) + 1900, 4), digits(Int(parts.tm_mon) + 1, 2),
            digits(Int(parts.tm_mday), 2),
        ].joined(separator: "-")
        let time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { digits(Int($0), 2) }
            .joined(separator: ":")
        return "\(date)T\(time).\(digits(milliseconds % 1000, 3))Z"
    }

    /// Returns text that a terminal does not interpret: control characters become visible ones.
    package static func harmless(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
                    default: scalar
                    }
                }))
    }

    private static func environment(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }
}
