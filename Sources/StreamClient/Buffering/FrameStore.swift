internal import MPEGAudio

/// The frames of a track that have come: those that are still to be decoded, and some that were.
struct FrameStore {
    private struct Entry {
        let frame: MediaFrame
        /// Where a decoder starts anew before this frame: the first moment that sounds.
        let begins: Int?
    }

    private var entries: [Entry] = []
    /// Entries at the front that were given up.
    private var head = 0
    /// The next entry to decode.
    private var cursor = 0
    private var pendingBegin: Int?
    private(set) var byteCount = 0

    /// The next frame is not the continuation of the last one.
    mutating func begin(soundFrom: Int) { pendingBegin = soundFrom }

    mutating func append(_ frame: MediaFrame) {
        entries.append(Entry(frame: frame, begins: pendingBegin))
        pendingBegin = nil
        byteCount += frame.bytes.count
    }

    /// Whether nothing is left to decode.
    var isDecoded: Bool { cursor == entries.count }
    var isEmpty: Bool { head == entries.count }
    /// Format of what comes next, or came last.
    var nextFrame: MediaFrame? { cursor < entries.count ? entries[cursor].frame : entries.last?.frame }

    /// The next frame to decode, and whether a decoder has to start anew for it.
    mutating func take() -> (frame: MediaFrame, begins: Int?)? {
        guard cursor < entries.count else { return nil }
        defer { cursor += 1 }
        return (entries[cursor].frame, entries[cursor].begins)
    }

    /// What can be heard without asking anybody, in ticks; nil where there is nothing.
    var range: Range<Int>? {
        guard head < entries.count, let last = entries.last else { return nil }
        let first = entries[head]
        // The first frames only prepare the decoder for what follows, unless the track begins with them.
        let start: Int
        if let begins = first.begins {
            start = max(begins, first.frame.startTicks)
        } else {
            let preroll = Preroll.longest(sampleCount: first.frame.sampleCount)
            start = entries[min(head + preroll, entries.count - 1)].frame.startTicks
        }
        return start < last.frame.endTicks ? start..<last.frame.endTicks : nil
    }

    /// Goes to the frame from which on a decoder has to be fed for `ticks` to sound.
    /// - Returns: false where that is not here.
    mutating func seek(to ticks: Int) -> Bool {
        guard let range, range.contains(ticks) else { return false }
        // The last frame that does not begin behind the moment.
        var low = head
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].frame.startTicks <= ticks { low = middle + 1 } else { high = middle }
        }
        var start = max(head, low - 1)
        let first = Preroll.start(
            before: entries[start].frame.number, sampleCount: entries[start].frame.sampleCount)
        while start > head, entries[start].begins == nil, entries[start].frame.number > first { start -= 1 }
        cursor = start
        return true
    }

    /// Gives up frames that lie before `ticks` and were decoded, the oldest first.
    /// - Parameter byteLimit: gives up more, decoded or not, while there are more bytes than this.
    /// - Returns: whether frames were given up that had not been decoded.
    mutating func trim(before ticks: Int, byteLimit: Int) -> Bool {
        var hasLost = false
        while head < entries.count {
            let entry = entries[head]
            let preroll = Preroll.longest(sampleCount: entry.frame.sampleCount)
            let isOld = head + preroll < cursor && entry.frame.endTicks < ticks
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
