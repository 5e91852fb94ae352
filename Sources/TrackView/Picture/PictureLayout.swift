/// Where everything is in a picture, in pixels.
enum PictureLayout {
    static let width = 1600
    static let height = 1060

    /// Left edge of the drawings; the numbers of their axes stand before it.
    static let plotX = 76.0
    /// Width of the drawings.
    static let plotWidth = 1432.0
    static let margin = 32.0

    static let titleBaseline = 62.0
    static let bylineBaseline = 94.0
    static let tiles = area(y: 116, height: 62)
    /// The names of the cue points, in rows.
    static let labels = area(y: 194, height: 62)
    static let waveform = area(y: 262, height: 250)
    static let loudness = area(y: 528, height: 150)
    static let spectrogram = area(y: 694, height: 288)
    static let timeAxisY = 982.0
    static let footerBaseline = 1040.0

    private static func area(y: Double, height: Double) -> Canvas.Area {
        Canvas.Area(x: plotX, y: y, width: plotWidth, height: height)
    }
}
