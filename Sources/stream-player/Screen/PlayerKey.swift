import Foundation
import Threads

/// A key command of the player.
enum PlayerKey: Sendable, Equatable {
    case pause, back, on, louder, softer, next, previous, record, quit

    /// Parses input from the terminal; arrow keys are sent as three bytes.
    static func keys(in bytes: [UInt8]) -> [PlayerKey] {
        var keys: [PlayerKey] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == 0x1B, rest.first == 0x5B || rest.first == 0x4F {
                rest.removeFirst()
                switch rest.popFirst() {
                case 0x41: keys.append(.louder)
                case 0x42: keys.append(.softer)
                case 0x43: keys.append(.on)
                case 0x44: keys.append(.back)
                default: continue
                }
                continue
            }
            switch byte {
            case 0x20: keys.append(.pause)
            case UInt8(ascii: "n"): keys.append(.next)
            case UInt8(ascii: "p"): keys.append(.previous)
            case UInt8(ascii: "r"): keys.append(.record)
            case UInt8(ascii: "q"), 0x1B: keys.append(.quit)
            case UInt8(ascii: "+"): keys.append(.louder)
            case UInt8(ascii: "-"): keys.append(.softer)
            default: continue
            }
        }
        return keys
    }

    /// Returns a stream of key commands, read by a separate thread that ends with the program.
    static func pressed() -> AsyncStream<PlayerKey> {
        AsyncStream { continuation in
            DedicatedThread.start("keys", stackBytes: 512 << 10) {
                var buffer = [UInt8](repeating: 0, count: 64)
                while true {
                    let count = read(STDIN_FILENO, &buffer, buffer.count)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { break }
                    for key in keys(in: Array(buffer[..<count])) { continuation.yield(key) }
                }
                continuation.finish()
            }
        }
    }
}
