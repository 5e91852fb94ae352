import CommandLineProgram
import Foundation

/// Puts the terminal into raw mode and switches to the alternate screen; restores both on deinitialisation.
final class RawTerminal {
    private var saved = termios()

    /// Whether standard input and output are an interactive terminal.
    static var isPossible: Bool {
        isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
            && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    init() {
        tcgetattr(STDIN_FILENO, &saved)
        var raw = saved
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(STDIN_FILENO, TCSANOW, &raw)
        // Switch to the alternate screen and hide the cursor.
        Terminal.write("\u{1B}[?1049h\u{1B}[?25l", to: STDOUT_FILENO)
    }

    deinit {
        Terminal.write("\u{1B}[?25h\u{1B}[?1049l", to: STDOUT_FILENO)
        tcsetattr(STDIN_FILENO, TCSANOW, &saved)
    }

    /// Draws lines from the top and clears the rest of the screen.
    func draw(_ lines: [String]) {
        let text = lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n")
        Terminal.write("\u{1B}[H\(text)\u{1B}[J", to: STDOUT_FILENO)
    }

    /// Size of the terminal in characters.
    static var size: (rows: Int, columns: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return (24, 80) }
        return (Int(size.ws_row), Int(size.ws_col))
    }
}
