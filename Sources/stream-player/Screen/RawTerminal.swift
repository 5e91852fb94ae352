import ConsoleProgram
import Foundation

/// A terminal that hands over each key at once and shows a page of its own; as it was when this is gone.
final class RawTerminal {
    private var saved = termios()

    /// Whether there is a terminal to read keys from and to draw on.
    static var isPossible: Bool {
        isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
            && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    init() {
        tcgetattr(STDIN_FILENO, &saved)
        var raw = saved
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(STDIN_FILENO, TCSANOW, &raw)
        // The other page, and no cursor.
        Terminal.write("\u{1B}[?1049h\u{1B}[?25l", to: STDOUT_FILENO)
    }

    deinit {
        Terminal.write("\u{1B}[?25h\u{1B}[?1049l", to: STDOUT_FILENO)
        tcsetattr(STDIN_FILENO, TCSANOW, &saved)
    }

    /// Draws lines from the top; what was there before is gone.
    func draw(_ lines: [String]) {
        let text = lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n")
        Terminal.write("\u{1B}[H\(text)\u{1B}[J", to: STDOUT_FILENO)
    }

    /// Height and width.
    static var size: (rows: Int, columns: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return (24, 80) }
        return (Int(size.ws_row), Int(size.ws_col))
    }
}
