internal import MPEGAudio

/// The buffered frames of a track: frames waiting to be decoded, and some that have been decoded.
struct FrameStore {
    private struct Entry {
        let frame: MediaFrame
        /// Set if the decoder must be restarted before this frame: the position in ticks from which audio is output.
        let begins: Int?
    }

    private var entries: [Entry] = []
    /// Number of entries at the front that have been discarded.
    private var head = 0
    /// The next entry to decode.
    private var cursor = 0
    private var pendingBegin: Int?
    private(set) var byteCount = 0

    /// Marks the next frame as not continuing the last one.
    mutating func begin(soundFrom: Int) { pendingBegin = soundFrom }

    mutating func append(_ frame: MediaFrame) {
        entries.append(Entry(frame: frame, begins: pendingBegin))
        pendingBegin = nil
        byteCount += frame.bytes.count
    }

    /// Whether every frame has been decoded.
    var isDecoded: Bool { cursor == entries.count }
    var isEmpty: Bool { head == entries.count }
    /// The next frame to decode, or the last frame if all are decoded; used for its format.
    var nextFrame: MediaFrame? { cursor < entries.count ? entries[cursor].frame : entries.last?.frame }

    /// Returns the next frame to decode, and whether the decoder must be restarted for it.
    mutating func take() -> (frame: MediaFrame, begins: Int?)? {
        guard cursor < entries.count else { return nil }
        defer { cursor += 1 }
        return (entries[cursor].frame, entries[cursor].begins)
    }

    /// The range that can be played without another request, in ticks; nil if nothing is buffered.
    var range: Range<Int>? {
        guard head < entries.count, let last = entries.last else { return nil }
        let first = entries[head]
        // The first frames only prepare the decoder for what follows, unless the track begins with them.
        let start: Int
        if let begins = first.begins {
            start = max(begins, first.frame.startTicks)
        } else {
            start = entries[min(head + first.frame.longestPreroll, entries.count - 1)].frame.startTicks
        }
        return start < last.frame.endTicks ? start..<last.frame.endTicks : nil
    }

    /// Moves to the frame at which decoding must start for audio at `ticks`.
    /// - Returns: false if that position is not buffered.
    mutating func seek(to ticks: Int) -> Bool {
        guard let range, range.contains(ticks) else { return false }
        // The last frame that starts at or before `ticks`.
        var low = head
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].frame.startTicks <= ticks { low = middle + 1 } else { high = middle }
        }
        var start = max(head, low - 1)
        let first = entries[start].frame.firstNeeded
        while start > head, entries[start].begins == nil, entries[start].frame.number > first { start -= 1 }
        cursor = start
        return true
    }

    /// Discards decoded frames before `ticks`, oldest first.
    /// - Parameter byteLimit: while more bytes than this are stored, further frames are discarded, decoded or not.
    /// - Returns: whether frames were discarded that had not been decoded.
    mutating func trim(before ticks: Int, byteLimit: Int) -> Bool {
        var hasLost = false
        while head < entries.count {
            let entry = entries[head]
            let isOld = head + entry.frame.longestPreroll < cursor && entry.frame.endTicks < ticks
            guard isOld || byteCount > byteLimit else { break }
            if head >= cursor {
                hasLost = true
                cursor = head + 1
            }
            byteCount -= entry.frame.bytes.count
            head += 1
        }
        if head > 4096, head > entries.count / 2 {
            entries.removeFirst(head)
            cursor -= head
            head = 0
        }
        return hasLost
    }
}
