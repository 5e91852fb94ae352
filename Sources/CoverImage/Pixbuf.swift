internal import CGdkPixbuf
internal import Foundation

/// A decoded picture: the one owner of a pixbuf of gdk-pixbuf.
struct Pixbuf: ~Copyable {
    private let pixbuf: OpaquePointer

    init(owning pixbuf: OpaquePointer) { self.pixbuf = pixbuf }

    deinit { g_object_unref(UnsafeMutableRawPointer(pixbuf)) }

    /// Whether any pixel lets something shine through. Several decoders give an opaque alpha channel to every picture.
    var isTransparent: Bool {
        guard gdk_pixbuf_get_has_alpha(pixbuf) != 0, let pixels = gdk_pixbuf_read_pixels(pixbuf) else {
            return false
        }
        let width = Int(gdk_pixbuf_get_width(pixbuf))
        let stride = Int(gdk_pixbuf_get_rowstride(pixbuf))
        let channels = Int(gdk_pixbuf_get_n_channels(pixbuf))
        for row in 0..<Int(gdk_pixbuf_get_height(pixbuf)) {
            // The last row may end before its stride does.
            let line = UnsafeBufferPointer(start: pixels + row * stride, count: width * channels)
            for alpha in Swift.stride(from: channels - 1, to: line.count, by: channels)
            where line[alpha] != 255 {
                return true
            }
        }
        return false
    }

    /// The picture as a file.
    /// - Parameter quality: of a JPEG, 0…100.
    func encoded(as format: PictureFormat, quality: Int = 85) throws(CoverImageError) -> [UInt8] {
        var options: [(key: String, value: String)] = []
        if format == .jpeg { options.append(("quality", "\(quality)")) }
        if let profile = colourProfile { options.append(("icc-profile", profile)) }
        var bytes: UnsafeMutablePointer<CChar>?
        var count = 0
        var error: UnsafeMutablePointer<GError>?
        let succeeded = Self.withStrings(options.map(\.key)) { keys in
            Self.withStrings(options.map(\.value)) { values in
                gdk_pixbuf_save_to_bufferv(pixbuf, &bytes, &count, format.rawValue, keys, values, &error)
            }
        }
        defer {
            g_free(bytes)
            if let error { g_error_free(error) }
        }
        guard succeeded != 0, let bytes else {
            throw CoverImageError(
                .encodingFailed,
                error?.pointee.message.map { String(cString: $0) } ?? "the picture cannot be written")
        }
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    }

    /// The ICC profile in base64, if it is one of red, green and blue (ICC.1, 7.2.8): those of printing inks describe
    /// the file, but no longer the decoded pixels.
    private var colourProfile: String? {
        guard let text = gdk_pixbuf_get_option(pixbuf, "icc-profile").map({ String(cString: $0) }),
            let profile = Data(base64Encoded: text), profile.count >= 128,
            profile[16..<20].elementsEqual("RGB ".utf8)
        else { return nil }
        return text
    }

    /// Lends strings as an array of C strings that ends with nil.
    private static func withStrings<Value>(
        _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Value
    ) -> Value {
        var copies = strings.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        return copies.withUnsafeMutableBufferPointer { body($0.baseAddress) }
    }
}
