/// The names and times of marked moments above a drawing, each with an arrow at its column; as many lines as it takes
/// to avoid overlaps.
struct TerminalMarkers {
    let marks: [CueMark]
    let scale: TimeScale
    let style: TerminalStyle

    func lines() -> [StyledLine] {
        var rows: [[(columns: Range<Int>, text: String, colour: RGB)]] = []
        for mark in marks {
            let column = scale.column(of: mark.seconds)
            let time = NumberText.clock(mark.seconds, decimals: 1)
            let arrow = style.usesUnicode ? "▼" : "v"
            let isLeft = column < scale.columnCount / 2
            var text = isLeft ? "\(arrow) \(mark.label) \(time)" : "\(mark.label) \(time) \(arrow)"
            let room = isLeft ? scale.columnCount - column : column + 1
            if DisplayWidth.of(text) > room { text = arrow }
            let start = isLeft ? column : column + 1 - DisplayWidth.of(text)
            let columns = start..<start + DisplayWidth.of(text)
            // One column of space between neighbours.
            let row = rows.firstIndex { row in
                row.allSatisfy {
                    columns.upperBound < $0.columns.lowerBound || $0.columns.upperBound < columns.lowerBound
                }
            }
            if let row {
                rows[row].append((columns, text, mark.colour))
            } else {
                rows.append([(columns, text, mark.colour)])
            }
        }
        return rows.reversed().map { row in
            var line = TerminalPlots.line(style: style)
            for entry in row.sorted(by: { $0.columns.lowerBound < $1.columns.lowerBound }) {
                line.pad(to: TerminalPlots.gutter + entry.columns.lowerBound)
                line.append(entry.text, .init(foreground: entry.colour), style: style)
            }
            return line
        }
    }
}
