extension Canvas {
    /// Writes in the middle of an area which data is missing there.
    func note(_ text: String, in area: Area) {
        self.text(
            text, x: area.x + area.width / 2, y: area.y + area.height / 2 + 5, font: Font(size: 15),
            Palette.muted,
            anchor: .centre)
    }
}
