/// Round times under a drawing.
struct TerminalTimeAxis {
    private static let columnsPerTick = 12

    let scale: TimeScale
    let style: TerminalStyle

    func lines() -> [StyledLine] {
        let look = StyledLine.Look(foreground: Palette.faint)
        let ticks = scale.ticks(atMost: max(1, scale.columnCount / Self.columnsPerTick))
        let columns = Set(ticks.map { scale.column(of: $0.seconds) })
        var axis = TerminalPlots.line(style: style)
        let (tick, rule) = style.usesUnicode ? ("┴", "─") : ("+", "-")
        for column in 0..<scale.columnCount {
            axis.append(columns.contains(column) ? tick : rule, look, style: style)
        }
        var labels = TerminalPlots.line(style: style)
        for tick in ticks {
            let column = TerminalPlots.gutter + scale.column(of: tick.seconds)
            guard column >= labels.width,
                column + tick.label.count <= TerminalPlots.gutter + scale.columnCount
            else {
                continue
            }
            labels.pad(to: column)
            labels.append(tick.label, look, style: style)
            labels.pad(to: labels.width + 1)
        }
        return [axis, labels]
    }
}
