import Foundation
import Testing

/// A pseudo-terminal for a program to write to, read by a test.
final class PseudoTerminal: @unchecked Sendable {
    // Safety: `received` is only accessed with the lock held; everything else is set once.
    private let main: FileHandle
    private let lock = NSLock()
    private var received = Data()

    /// The program's side.
    let device: FileHandle

    init(columns: Int) throws {
        let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(descriptor >= 0)
        // TIOCSPTLCK, TIOCGPTN: the implementation of unlockpt and ptsname.
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        try #require(
            ioctl(descriptor, 0x4004_5431, &isLocked) == 0 && ioctl(descriptor, 0x8004_5430, &number) == 0)
        var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        #expect(ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0)
        let opened = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(opened >= 0)
        main = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        device = FileHandle(fileDescriptor: opened, closeOnDealloc: true)
        Thread.detachNewThread { [self] in
            while true {
                var buffer = [UInt8](repeating: 0, count: 4096)
                let count = read(descriptor, &buffer, buffer.count)
                // The last descriptor of the program's side was closed.
                guard count > 0 else { return }
                lock.withLock { received.append(contentsOf: buffer[..<count]) }
            }
        }
    }

    /// All output so far.
    var text: String { lock.withLock { String(decoding: received, as: UTF8.self) } }

    /// Returns the screen contents after text: lines, as overwritten and erased.
    static func screen(_ text: String) -> [String] {
        // The device adds a carriage return before each line feed.
        text.replacing("\r\n", with: "\n").components(separatedBy: "\n").map { line in
            var shown: [Unicode.Scalar] = []
            var column = 0
            var scalars = Array(line.unicodeScalars)[...]
            while let scalar = scalars.popFirst() {
                if scalar == "\r" {
                    column = 0
                } else if scalar == "\u{1B}", scalars.starts(with: ["[", "K"]) {
                    scalars = scalars.dropFirst(2)
                    shown = Array(shown.prefix(column))
                } else {
                    if column < shown.count { shown[column] = scalar } else { shown.append(scalar) }
                    column += 1
                }
            }
            var view = String.UnicodeScalarView()
            view.append(contentsOf: shown)
            return String(view)
        }
    }
}
