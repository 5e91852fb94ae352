package import Analyzer
internal import Companion
package import LibraryStore

/// All facts about one track as text for a terminal: the tags and measurements in aligned groups under a
/// small waveform, loudness curve and spectrogram.
///
/// No line is wider than ``width``, East Asian characters counted as the two columns they take. Tags and file names
/// cannot send the terminal commands: control characters, bidirectional controls and escape sequences in them are left
/// out. Without colours the text holds no escape sequence at all.
package struct TerminalReport: Sendable {
    /// Columns of the terminal, at least 1.
    package let width: Int
    /// The terminal's capabilities.
    package let style: TerminalStyle

    private static let widestReport = 180
    private static let twoColumnsFrom = 104
    private static let gap = 3

    /// Makes a report for a terminal.
    /// - Parameter width: columns of the terminal; reports wider than 180 columns are not made.
    package init(width: Int = 80, style: TerminalStyle) {
        self.width = max(1, min(Self.widestReport, width))
        self.style = style
    }

    /// The report of a track: lines that end with a line feed each.
    /// - Parameter frames: the track's visualizer frames, for the spectrogram; without them it is left out.
    package func render(_ track: AnalysedTrack, frames: VisualizerSpectra?) -> String {
        let facts = TrackFacts(track, frames: frames)
        var lines = heading(facts)
        if let analysis = track.analysis {
            lines += TerminalPlots(analysis: analysis, frames: frames, width: width, style: style).lines()
        }
        lines += body(facts.groups) + remarks(facts.remarks)
        return lines.map { $0.cut(to: width, style: style).encoded(style) + "\n" }.joined()
    }

    private func heading(_ facts: TrackFacts) -> [StyledLine] {
        var title = StyledLine()
        title.append(facts.title, .init(foreground: Palette.accent, isBold: true), style: style)
        var byline = StyledLine()
        byline.append(facts.byline, .init(foreground: Palette.text), style: style)
        var lines = byline.width > 0 ? [title, byline] : [title]
        let summary = facts.headlines.map(\.value).filter { $0 != NumberText.missing }.joined(
            separator: "  ·  ")
        if !summary.isEmpty {
            var line = StyledLine()
            line.append(summary, .init(foreground: Palette.muted), style: style)
            lines.append(line)
        }
        return lines + [StyledLine()]
    }

    /// The groups in one column, or in two where there is room.
    private func body(_ groups: [TrackFacts.Group]) -> [StyledLine] {
        guard width >= Self.twoColumnsFrom else { return groups.flatMap { block($0, width: width) } }
        let columnWidth = (width - Self.gap) / 2
        let left = groups.filter { Self.leftGroups.contains($0.title) }.flatMap {
            block($0, width: columnWidth)
        }
        let right = groups.filter { !Self.leftGroups.contains($0.title) }.flatMap {
            block($0, width: columnWidth)
        }
        return (0..<max(left.count, right.count)).map { index in
            var line = index < left.count ? left[index] : StyledLine()
            if index < right.count {
                line.pad(to: columnWidth + Self.gap)
                line.append(right[index])
            }
            return line
        }
    }

    private static let leftGroups: Set = ["Tags", "Format", "File"]
    /// Columns of the labels; the longest is "fade-out start".
    private static let labelWidth = 16
    private static let mostLinesOfValue = 5

    private func block(_ group: TrackFacts.Group, width: Int) -> [StyledLine] {
        let lines = group.facts.flatMap { self.lines(of: $0, width: width) }
        return [headline(group.title)] + lines.map { $0.cut(to: width, style: style) } + [StyledLine()]
    }

    /// A fact in as many lines as it takes, up to a limit; the note on a line of its own where it does not fit.
    private func lines(of fact: TrackFacts.Fact, width: Int) -> [StyledLine] {
        let indent = 2 + Self.labelWidth
        var values = wrapped(fact.value, to: max(1, width - indent))
        if values.count > Self.mostLinesOfValue {
            // Too long for its line, so that cutting the line shows that there is more.
            let rest = values[(Self.mostLinesOfValue - 1)...].joined(separator: " ")
            values = values.prefix(Self.mostLinesOfValue - 1) + [rest]
        }
        var lines = values.enumerated().map { index, value in
            var line = StyledLine()
            if index == 0 {
                line.append("  " + fact.label, .init(foreground: Palette.muted), style: style)
            }
            line.pad(to: indent)
            line.append(value, .init(foreground: Palette.text), style: style)
            return line
        }
        guard let note = fact.note else { return lines }
        var line = lines.removeLast()
        if line.width + 2 + DisplayWidth.of(note) > width {
            lines.append(line)
            line = StyledLine()
            line.pad(to: indent)
        } else {
            line.append("  ", style: style)
        }
        line.append(note, .init(foreground: Palette.faint), style: style)
        return lines + [line]
    }

    private func headline(_ title: String) -> StyledLine {
        var line = StyledLine()
        line.append(title, .init(foreground: Palette.accent, isBold: true), style: style)
        return line
    }

    private func remarks(_ remarks: [String]) -> [StyledLine] {
        guard !remarks.isEmpty else { return [] }
        var lines = [headline("Remarks")]
        for remark in remarks {
            for (index, text) in wrapped(remark, to: max(1, width - 4)).enumerated() {
                var line = StyledLine()
                line.append(index == 0 ? "  ! " : "    ", .init(foreground: Palette.warning), style: style)
                line.append(text, .init(foreground: Palette.text), style: style)
                lines.append(line)
            }
        }
        return lines + [StyledLine()]
    }

    /// A text in lines of at most a number of columns, broken between words and in words that are too long; at least
    /// one line.
    private func wrapped(_ text: String, to columns: Int) -> [String] {
        let cleaned = DisplayText.cleaned(text)
        let text = style.usesUnicode ? cleaned : DisplayText.ascii(cleaned)
        var lines: [String] = []
        var line = ""
        var used = 0
        func endLine() {
            lines.append(line.replacing("\u{A0}", with: " "))
            line = ""
            used = 0
        }
        for word in text.split(separator: " ") {
            if used > 0, used + 1 + DisplayWidth.of(word) > columns { endLine() }
            if used > 0 {
                line += " "
                used += 1
            }
            for character in word {
                let width = DisplayWidth.of(String(character))
                if used > 0, used + width > columns { endLine() }
                line.append(character)
                used += width
            }
        }
        endLine()
        return lines
    }
}
