internal import Analyzer

/// The cue points as vertical lines through all drawings, with their names and times above.
struct CueLines {
    private static let rowHeight = 20.0
    private static let rowCount = 3
    private static let font = Canvas.Font(size: 12.5, isBold: true)

    let cue: CuePoints
    let scale: TimeScale

    /// The marks from the middle outwards on each half, so that no line crosses the name of another: names that stand
    /// higher belong to lines further out.
    private func ordered() -> [CueMark] {
        let marks = CueMark.marks(of: cue)
        return marks.filter(isOnLeft).reversed() + marks.filter { !isOnLeft($0) }
    }

    /// Names stand right of their lines on the left half, left of them on the right half.
    private func isOnLeft(_ mark: CueMark) -> Bool {
        scale.position(of: mark.seconds) < Double(scale.columnCount) / 2
    }

    func draw(on canvas: borrowing Canvas) {
        let area = PictureLayout.labels
        var taken = [[ClosedRange<Double>]](repeating: [], count: Self.rowCount)
        for mark in ordered() {
            // The line covers the pixel column that the moment falls into.
            let column = PictureLayout.plotX + Double(scale.column(of: mark.seconds))
            let text = "\(mark.label)  \(NumberText.clock(mark.seconds, decimals: 2))"
            let width = canvas.textWidth(text, Self.font)
            let start = isOnLeft(mark) ? column + 6 : column - 6 - width
            let range = start - 8...start + width + 8
            let row = taken.indices.first { row in taken[row].allSatisfy { !$0.overlaps(range) } }
            let level = row ?? 0
            let base = area.bottom - 6 - Double(level) * Self.rowHeight
            canvas.fill(
                .init(x: column, y: base - 11, width: 1, height: PictureLayout.timeAxisY - base + 11),
                mark.colour,
                opacity: 0.95)
            guard let row else { continue }
            taken[row].append(range)
            canvas.text(text, x: start, y: base, font: Self.font, mark.colour)
        }
    }
}
