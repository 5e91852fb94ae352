internal import CGdkPixbuf

/// The picture that stands for a missing cover: a record, in shades of grey.
package enum PlaceholderCover {
    /// Radii of the record's label, its hole and its rim, as fractions of the side.
    private static let (label, hole, rim) = (0.14, 0.025, 0.36)
    /// Shades from black to white of the background, the record, its grooves and its label.
    private static let (background, record, groove, paper) = (UInt8(58), UInt8(32), UInt8(40), UInt8(128))
    /// Distance between grooves as a fraction of the side.
    private static let grooves = 0.03

    /// Draws the picture.
    /// - Parameter side: width and height in pixels.
    /// - Throws: `encodingFailed`.
    package static func png(side: Int) throws(CoverImageError) -> [UInt8] {
        guard let made = gdk_pixbuf_new(0, 0, 8, Int32(side), Int32(side)),
            let pixels = gdk_pixbuf_get_pixels(made)
        else { throw CoverImageError(.encodingFailed, "there is no memory for a picture") }
        let picture = Pixbuf(owning: made)
        let stride = Int(gdk_pixbuf_get_rowstride(made))
        let scale = 1 / Double(side)
        for row in 0..<side {
            let y = (Double(row) + 0.5) * scale - 0.5
            for column in 0..<side {
                let x = (Double(column) + 0.5) * scale - 0.5
                let shade = shade(atRadius: (x * x + y * y).squareRoot())
                let pixel = pixels + row * stride + 3 * column
                for channel in 0..<3 { pixel[channel] = shade }
            }
        }
        return try picture.encoded(as: .png)
    }

    private static func shade(atRadius radius: Double) -> UInt8 {
        if radius > rim || radius < hole { return background }
        if radius < label { return paper }
        return Int(radius / grooves * 2).isMultiple(of: 2) ? record : groove
    }
}
