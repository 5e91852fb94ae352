internal import Analyzer
import Foundation

/// The visualizer's matrix as an image, with the frequencies on the left and the levels of the colours on the right.
struct SpectrogramPanel {
    private static let marks: [(hertz: Double, label: String)] = [
        (40, "40"), (100, "100"), (250, "250"), (500, "500"), (1_000, "1k"), (2_000, "2k"), (4_000, "4k"),
        (8_000, "8k"), (16_000, "16k"),
    ]

    let spectrum: SpectrumColumns?
    let scale: TimeScale

    func draw(on canvas: borrowing Canvas) {
        let area = PictureLayout.spectrogram
        guard let spectrum else { return canvas.note("no visualizer frames", in: area) }
        let bands = spectrum.bandCount
        var pixels: [RGB] = []
        pixels.reserveCapacity(bands * scale.columnCount)
        for row in 0..<bands {
            for column in 0..<scale.columnCount {
                let level = spectrum.level(column: column, band: bands - 1 - row)
                pixels.append(ColourMap.magmaTable[Int(spectrum.brightness(level) * 255)])
            }
        }
        canvas.image(pixels, columns: scale.columnCount, rows: bands, in: area)
        drawFrequencies(on: canvas, area)
        drawLevels(spectrum, on: canvas, area)
    }

    private func drawFrequencies(on canvas: borrowing Canvas, _ area: Canvas.Area) {
        let font = Canvas.Font(size: 12)
        let octaves = log(BandLayout.highestHz / BandLayout.lowestHz)
        for mark in Self.marks {
            let y = area.bottom - log(mark.hertz / BandLayout.lowestHz) / octaves * area.height
            canvas.stroke([(area.x - 5, y), (area.x, y)], Palette.faint)
            let label = mark.hertz == BandLayout.highestHz ? "Hz  " + mark.label : mark.label
            canvas.text(label, x: area.x - 10, y: y + 4, font: font, Palette.muted, anchor: .right)
        }
    }

    private func drawLevels(_ spectrum: SpectrumColumns, on canvas: borrowing Canvas, _ area: Canvas.Area) {
        let bar = Canvas.Area(x: area.right + 12, y: area.y, width: 12, height: area.height)
        let steps = 128
        let pixels = (0..<steps).map { ColourMap.magma(1 - Double($0) / Double(steps - 1)) }
        canvas.image(pixels, columns: 1, rows: steps, in: bar)
        let font = Canvas.Font(size: 11)
        let top = SpectrumColumns.decibels(spectrum.brightest)
        let bottom = SpectrumColumns.decibels(spectrum.darkest)
        guard top > bottom else { return }
        var level = (top / 10).rounded(.down) * 10
        while level >= bottom {
            let y = bar.y + (top - level) / (top - bottom) * bar.height
            if y < bar.bottom - 14 {
                canvas.text(
                    level < 0 ? "−\(Int(-level))" : "0", x: bar.right + 6, y: max(bar.y + 9, y + 4),
                    font: font, Palette.muted)
            }
            level -= 10
        }
        canvas.text("dBFS", x: bar.right + 6, y: bar.bottom, font: font, Palette.faint)
    }
}
