import CommandLineProgram
import MusicShared
import StreamClient

/// Lays out the player's screen as lines of text. Independent of the terminal, so that it can be tested.
struct ScreenPage {
    let rows: Int
    let columns: Int
    private static let blocks = Array(" ▁▂▃▄▅▆▇█")

    /// Returns the screen for a playback status.
    /// - Parameters:
    ///   - bands: levels of the visualizer's bands, 0…255, low frequencies first.
    ///   - title: the title reported by a station.
    func lines(_ now: PlaybackSnapshot, bands: ArraySlice<UInt8>?, title: StationTitle?) -> [String] {
        let station = now.facts.station?.name.map(Terminal.harmless)
        var head = ["", " \(cut(station ?? now.item.map(PlainView.name) ?? "Nothing playing"))"]
        let second = title?.text ?? now.item?.album ?? ""
        head += [" \(cut(Terminal.harmless(second)))", "", " \(bar(now))", " \(cut(status(now)))", ""]
        let foot = [
            "", " \(cut("space pause  ←→ 10 s  ↑↓ volume  n/p next/previous  r record/retry  q quit"))",
        ]
        let left = max(0, rows - head.count - foot.count)
        let tall = bands == nil ? 0 : min(10, left / 2)
        let middle = bands.map { spectrum($0, height: tall) } ?? []
        let list = queue(now, count: max(0, left - middle.count - 1))
        return Array((head + middle + [""] + list + foot).prefix(rows))
    }

    /// Returns the progress bar: position, played part, buffered part, remainder and duration.
    func bar(_ now: PlaybackSnapshot) -> String {
        let duration = now.durationSeconds
        let start = Self.clock(now.positionSeconds)
        let end = duration.map(Self.clock) ?? "live"
        let width = max(10, columns - start.count - end.count - 6)
        guard let duration, duration > 0 else {
            return "\(start) [\(String(repeating: "─", count: width))] \(end)"
        }
        let cells = (0..<width).map { cell -> Character in
            let moment = (Double(cell) + 0.5) / Double(width) * duration
            if moment <= now.positionSeconds { return "█" }
            return now.bufferedSeconds?.contains(moment) == true ? "▒" : "─"
        }
        return "\(start) [\(String(cells))] \(end)"
    }

    /// Draws bands as columns of block characters.
    func spectrum(_ bands: ArraySlice<UInt8>, height: Int) -> [String] {
        let width = max(1, (columns - 2) / max(1, bands.count))
        return (0..<height).map { row in
            let floor = height - 1 - row
            let cells = bands.map { level -> String in
                let eighths = Int(level) * height * 8 / 255 - floor * 8
                return String(repeating: Self.blocks[max(0, min(8, eighths))], count: width)
            }
            return " " + cells.joined()
        }
    }

    private func status(_ now: PlaybackSnapshot) -> String {
        var parts: [String] = [Self.word(now.state)]
        if let notice = now.notice, notice != .streaming { parts.append(notice.description) }
        parts.append("volume \(Int((now.volume * 100).rounded())) %")
        if let buffered = now.bufferedSeconds {
            parts.append("\(Int(max(0, buffered.upperBound - now.positionSeconds))) s buffered")
        }
        if let bandwidth = now.facts.variantBandwidth { parts.append("\(bandwidth / 1000) kbit/s") }
        if let speed = now.bitsPerSecond { parts.append("network \(Int(speed / 1000)) kbit/s") }
        if now.recordingPath != nil { parts.append("recording") }
        return parts.joined(separator: " · ")
    }

    private func queue(_ now: PlaybackSnapshot, count: Int) -> [String] {
        guard count > 0, let index = now.index else { return [] }
        let first = max(0, min(index - 1, now.queue.count - count))
        return now.queue.indices[first...].prefix(count).map { place in
            let name = PlainView.name(now.queue[place])
            return " \(place == index ? "▶" : " ") \(cut("\(place + 1). \(name)", columns - 4))"
        }
    }

    private func cut(_ text: String, _ width: Int? = nil) -> String {
        String(text.prefix(max(0, width ?? columns - 2)))
    }

    private static func word(_ state: PlayerState) -> String {
        switch state {
        case .initialized, .starting, .waitingForData, .waitingForOutput: "starting"
        case .playing: "playing"
        case .buffering: "buffering"
        case .paused: "paused"
        case .stopping(.temporary): "seeking"
        case .stopping, .stopped: "stopped"
        }
    }

    /// Formats a position, such as "4:03" or "1:02:03".
    static func clock(_ seconds: Double) -> String {
        let total = Int(max(0, min(seconds, 1e7)))
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let short = "\(total / 60 % 60):\(two(total % 60))"
        return total < 3600 ? short : "\(total / 3600):\(two(total / 60 % 60)):\(two(total % 60))"
    }
}
