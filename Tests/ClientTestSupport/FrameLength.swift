internal import MPEGAudio
private import Synchronization

/// Lengths of frames, from their headers.
package enum FrameLength {
    /// Returns the length of the frame at an offset; nil if there is no frame header.
    package static func of(_ bytes: [UInt8], at offset: Int) -> Int? {
        guard offset + 4 <= bytes.count else { return nil }
        let word = bytes[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard let length = MPEGFrameHeader(word: word)?.frameLength, offset + length <= bytes.count else {
            return nil
        }
        return length
    }

    /// Returns the number of frames.
    package static func count(_ bytes: [UInt8]) -> Int? {
        var position = 0
        var count = 0
        while let length = of(bytes, at: position) {
            position += length
            count += 1
        }
        return count > 0 ? count : nil
    }
}

/// A value passed out of a closure by a test.
package final class MutexBox<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>
    package init(_ value: Value) { mutex = Mutex(value) }
    package var value: Value {
        get { mutex.withLock { $0 } }
        set { mutex.withLock { $0 = newValue } }
    }
}
