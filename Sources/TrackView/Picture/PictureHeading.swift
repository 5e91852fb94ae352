internal import Companion
internal import LibraryStore

/// Title, artist and the key numbers above the drawings, the file and its oddities below.
struct PictureHeading {
    private static let tileGap = 10.0

    let facts: TrackFacts

    func draw(on canvas: borrowing Canvas) {
        let width = PictureLayout.plotWidth
        canvas.text(
            DisplayText.cleaned(facts.title), x: PictureLayout.plotX, y: PictureLayout.titleBaseline,
            font: .init(size: 32, isBold: true), Palette.text, maximumWidth: width)
        canvas.text(
            DisplayText.cleaned(facts.byline.isEmpty ? "no tags" : facts.byline), x: PictureLayout.plotX,
            y: PictureLayout.bylineBaseline,
            font: .init(size: 18), Palette.muted, maximumWidth: width)
        drawTiles(on: canvas)
        drawFooter(on: canvas)
    }

    private func drawTiles(on canvas: borrowing Canvas) {
        let tiles = facts.tiles
        let area = PictureLayout.tiles
        let width = (area.width + Self.tileGap) / Double(max(1, tiles.count)) - Self.tileGap
        for (index, tile) in tiles.enumerated() {
            let x = area.x + Double(index) * (width + Self.tileGap)
            canvas.fill(
                .init(x: x, y: area.y, width: width, height: area.height), PictureColours.panel, radius: 6)
            canvas.text(
                DisplayText.cleaned(tile.label), x: x + 14, y: area.y + 22, font: .init(size: 12),
                Palette.muted,
                maximumWidth: width - 28)
            let value = DisplayText.cleaned(tile.value).replacing("-", with: "−")
            canvas.text(
                value, x: x + 14, y: area.y + 47, font: .init(size: 19, isBold: true), Palette.text,
                maximumWidth: width - 20)
        }
    }

    private func drawFooter(on canvas: borrowing Canvas) {
        let font = Canvas.Font(size: 12)
        let identity = facts.identity
        let identityWidth = canvas.textWidth(identity, font)
        canvas.text(
            identity, x: PictureLayout.plotX + PictureLayout.plotWidth, y: PictureLayout.footerBaseline,
            font: font,
            Palette.faint, anchor: .right)
        var left = facts.track.path.text
        if let remark = facts.remarks.first { left += "  ·  " + remark }
        if facts.remarks.count > 1 { left += " (and \(facts.remarks.count - 1) more)" }
        canvas.text(
            DisplayText.cleaned(left), x: PictureLayout.plotX, y: PictureLayout.footerBaseline, font: font,
            facts.remarks.isEmpty ? Palette.faint : Palette.warning,
            maximumWidth: PictureLayout.plotWidth - identityWidth - 30)
    }
}
