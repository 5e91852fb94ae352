internal import CCairo
import Foundation

/// A picture being drawn: an image of 24-bit colour in memory and the drawing state of cairo; Pango sets the text.
///
/// The one owner of both cairo objects. Lengths are pixels from the top left corner. cairo remembers the first error and
/// ignores later calls; ``png()`` reports it.
struct Canvas: ~Copyable {
    /// Which point of a text is put at the given place.
    enum Anchor {
        case left
        case centre
        case right
    }

    /// A rectangle in pixels.
    struct Area: Equatable {
        var x: Double
        var y: Double
        var width: Double
        var height: Double
        var right: Double { x + width }
        var bottom: Double { y + height }
    }

    /// A font's size and weight.
    struct Font {
        var size: Double
        var isBold = false
    }

    /// Pango's units in a pixel.
    private static let scale = Double(PANGO_SCALE)

    let width: Int
    let height: Int
    // Both are owned here and released in deinit; no copy of either leaves this type.
    private let surface: OpaquePointer
    private let context: OpaquePointer

    /// An image filled with a colour.
    init(width: Int, height: Int, background: RGB) throws(TrackViewError) {
        guard let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height)),
            let context = cairo_create(surface)
        else { throw TrackViewError(.drawingFailed, "no memory for a picture") }
        self.width = width
        self.height = height
        self.surface = surface
        self.context = context
        setColour(background, opacity: 1)
        cairo_paint(context)
        cairo_set_line_cap(context, CAIRO_LINE_CAP_BUTT)
        cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    }

    deinit {
        cairo_destroy(context)
        cairo_surface_destroy(surface)
    }

    /// Fills a rectangle, with round corners if wanted.
    func fill(_ area: Area, _ colour: RGB, opacity: Double = 1, radius: Double = 0) {
        if radius > 0 {
            cairo_new_sub_path(context)
            cairo_arc(context, area.right - radius, area.y + radius, radius, -.pi / 2, 0)
            cairo_arc(context, area.right - radius, area.bottom - radius, radius, 0, .pi / 2)
            cairo_arc(context, area.x + radius, area.bottom - radius, radius, .pi / 2, .pi)
            cairo_arc(context, area.x + radius, area.y + radius, radius, .pi, 3 * .pi / 2)
            cairo_close_path(context)
        } else {
            cairo_rectangle(context, area.x, area.y, area.width, area.height)
        }
        setColour(colour, opacity: opacity)
        cairo_fill(context)
    }

    /// Fills the polygon with a colour that fades downwards.
    func fill(
        _ points: [(x: Double, y: Double)], _ colour: RGB, opacityAtTop: Double, opacityAtBottom: Double,
        in area: Area
    ) {
        guard points.count > 2, let gradient = cairo_pattern_create_linear(0, area.y, 0, area.bottom) else {
            return
        }
        defer { cairo_pattern_destroy(gradient) }
        for (offset, opacity) in [(0.0, opacityAtTop), (1, opacityAtBottom)] {
            cairo_pattern_add_color_stop_rgba(
                gradient, offset, Double(colour.red) / 255, Double(colour.green) / 255,
                Double(colour.blue) / 255, opacity)
        }
        path(points)
        cairo_close_path(context)
        cairo_set_source(context, gradient)
        cairo_fill(context)
    }

    /// Draws a line through points.
    func stroke(
        _ points: [(x: Double, y: Double)], _ colour: RGB, opacity: Double = 1, width: Double = 1,
        dash: [Double] = []
    ) {
        guard points.count > 1 else { return }
        path(points)
        setColour(colour, opacity: opacity)
        cairo_set_line_width(context, width)
        cairo_set_dash(context, dash, Int32(dash.count), 0)
        cairo_stroke(context)
    }

    /// Fills an area with slanting lines.
    func hatch(_ area: Area, _ colour: RGB, opacity: Double, spacing: Double = 7) {
        guard area.width > 0, area.height > 0 else { return }
        clipped(to: area) {
            var x = area.x - area.height - (area.x - area.height).truncatingRemainder(dividingBy: spacing)
            while x < area.right {
                stroke([(x, area.bottom), (x + area.height, area.y)], colour, opacity: opacity)
                x += spacing
            }
        }
    }

    /// Draws within an area only.
    func clipped(to area: Area, _ body: () -> Void) {
        cairo_save(context)
        cairo_rectangle(context, area.x, area.y, area.width, area.height)
        cairo_clip(context)
        body()
        cairo_restore(context)
    }

    /// Writes a line of text, in whatever fonts have its characters and in the direction of its script.
    /// - Parameters:
    ///   - y: the base line.
    ///   - maximumWidth: longer texts are cut and end in an ellipsis.
    func text(
        _ text: String, x: Double, y: Double, font: Font, _ colour: RGB, opacity: Double = 1,
        anchor: Anchor = .left, maximumWidth: Double? = nil
    ) {
        withLayout(text, font, maximumWidth: maximumWidth) { layout in
            let offset: Double
            switch anchor {
            case .left: offset = 0
            case .centre: offset = Self.width(layout) / 2
            case .right: offset = Self.width(layout)
            }
            let baseline = Double(pango_layout_get_baseline(layout)) / Self.scale
            setColour(colour, opacity: opacity)
            cairo_move_to(context, x - offset, y - baseline)
            pango_cairo_show_layout(context, layout)
            cairo_new_path(context)
        }
    }

    /// How far a text reaches in pixels.
    func textWidth(_ text: String, _ font: Font) -> Double {
        var width = 0.0
        withLayout(text, font, maximumWidth: nil) { width = Self.width($0) }
        return width
    }

    /// Draws an image of `columns × rows` pixels, row by row from the top, stretched over an area.
    func image(_ pixels: [RGB], columns: Int, rows: Int, in area: Area) {
        guard columns > 0, rows > 0, pixels.count == columns * rows,
            let image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(columns), Int32(rows))
        else { return }
        defer { cairo_surface_destroy(image) }
        guard let bytes = cairo_image_surface_get_data(image) else { return }
        cairo_surface_flush(image)
        let stride = Int(cairo_image_surface_get_stride(image))
        for row in 0..<rows {
            for column in 0..<columns {
                let colour = pixels[row * columns + column]
                let value = UInt32(colour.red) << 16 | UInt32(colour.green) << 8 | UInt32(colour.blue)
                // The image has `rows` rows of `stride` bytes, a pixel is a word of four (cairo's RGB24).
                UnsafeMutableRawPointer(bytes).storeBytes(
                    of: value, toByteOffset: row * stride + column * 4, as: UInt32.self)
            }
        }
        cairo_surface_mark_dirty(image)
        clipped(to: area) {
            cairo_translate(context, area.x, area.y)
            cairo_scale(context, area.width / Double(columns), area.height / Double(rows))
            cairo_set_source_surface(context, image, 0, 0)
            // Beyond its edge the image goes on as at the edge, instead of fading.
            cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD)
            cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_BILINEAR)
            cairo_paint(context)
        }
    }

    /// The picture as the bytes of a PNG file.
    /// - Throws: `drawingFailed` for the first thing that went wrong since the canvas was made.
    func png() throws(TrackViewError) -> Data {
        try check(cairo_status(context))
        let sink = PNGSink()
        // The sink outlives the call, which keeps no reference to it.
        try check(
            withExtendedLifetime(sink) {
                cairo_surface_write_to_png_stream(
                    surface, takePNGBytes, Unmanaged.passUnretained(sink).toOpaque())
            })
        return sink.data
    }

    private func check(_ status: cairo_status_t) throws(TrackViewError) {
        guard status != CAIRO_STATUS_SUCCESS else { return }
        throw TrackViewError(
            .drawingFailed, "cannot draw: \(String(cString: cairo_status_to_string(status)))")
    }

    private func path(_ points: [(x: Double, y: Double)]) {
        cairo_new_path(context)
        for point in points { cairo_line_to(context, point.x, point.y) }
    }

    private func setColour(_ colour: RGB, opacity: Double) {
        cairo_set_source_rgba(
            context, Double(colour.red) / 255, Double(colour.green) / 255, Double(colour.blue) / 255, opacity)
    }

    private func withLayout(
        _ text: String, _ font: Font, maximumWidth: Double?, _ body: (OpaquePointer) -> Void
    ) {
        guard let layout = pango_cairo_create_layout(context) else { return }
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        guard let description = pango_font_description_new() else { return }
        defer { pango_font_description_free(description) }
        pango_font_description_set_family(description, "DejaVu Sans")
        pango_font_description_set_weight(
            description, Int32(font.isBold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL))
        pango_font_description_set_absolute_size(description, font.size * Self.scale)
        pango_layout_set_font_description(layout, description)
        pango_layout_set_single_paragraph_mode(layout, 1)
        // No text of this many characters fits any picture.
        pango_layout_set_text(layout, String(text.prefix(1000)), -1)
        if let maximumWidth {
            pango_layout_set_ellipsize(layout, Int32(PANGO_ELLIPSIZE_END))
            // A text of a script that runs to the left begins where the others do.
            pango_layout_set_auto_dir(layout, 0)
            pango_layout_set_width(layout, Int32(max(0, min(100_000, maximumWidth)) * Self.scale))
        }
        body(layout)
    }

    private static func width(_ layout: OpaquePointer) -> Double {
        var (width, height) = (Int32(0), Int32(0))
        pango_layout_get_size(layout, &width, &height)
        return Double(width) / scale
    }
}

/// Collects what cairo writes.
private final class PNGSink {
    var data = Data()
}

/// Takes the next bytes of a PNG file. The closure is the ``PNGSink`` that the caller of cairo holds on to.
private func takePNGBytes(
    _ closure: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<UInt8>?, _ count: UInt32
) -> cairo_status_t {
    guard let closure, let bytes else { return CAIRO_STATUS_WRITE_ERROR }
    Unmanaged<PNGSink>.fromOpaque(closure).takeUnretainedValue().data.append(bytes, count: Int(count))
    return CAIRO_STATUS_SUCCESS
}
