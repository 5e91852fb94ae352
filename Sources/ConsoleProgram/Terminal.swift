import Foundation

/// Standard output and standard error.
public enum Terminal {
    /// Whether standard error is a terminal that can redraw a line.
    public static let isInteractive = isatty(STDERR_FILENO) == 1 && environment("TERM") != "dumb"

    /// Width in columns.
    public static var columns: Int {
        var size = winsize()
        for descriptor in [STDOUT_FILENO, STDERR_FILENO]
        where ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 {
            return Int(size.ws_col)
        }
        return environment("COLUMNS").flatMap { Int($0) } ?? 80
    }

    /// Ends the program at once, whatever other threads are at.
    ///
    /// Not by `exit`: it takes the libraries' memory away from threads that still use them, such as one that is about to connect.
    public static func end(_ status: Int32) -> Never {
        fflush(nil)
        _exit(status)
    }

    /// Writes a line to standard output.
    public static func print(_ text: String) { write(text + "\n", to: STDOUT_FILENO) }

    /// Writes a line to standard error.
    public static func complain(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

    /// Writes text as it is.
    public static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            // Nobody reads any more: there is nobody left to tell.
            guard written > 0 else { return }
            bytes = bytes.dropFirst(written)
        }
    }

    /// Text with nothing in it that a terminal would obey: control characters become visible ones.
    public static func harmless(_ text: String) -> String {
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
