internal import CGdkPixbuf

/// A picture while it is decoded: owns a loader of gdk-pixbuf.
///
/// The dimensions are checked before any pixel is decoded: a picture with too many pixels is refused, and a large
/// one is decoded at the requested size.
struct PixbufLoader: ~Copyable {
    /// Instructions for the moment when the dimensions are known, and the dimensions found.
    fileprivate final class Request {
        let longestSide: Int
        let pixelLimit: Int
        var width = 0
        var height = 0
        var isTooLarge = false

        init(longestSide: Int, pixelLimit: Int) {
            self.longestSide = longestSide
            self.pixelLimit = pixelLimit
        }
    }

    private let loader: OpaquePointer
    private let request: Request
    private var isOpen = true

    init(_ format: PictureFormat, longestSide: Int, pixelLimit: Int) throws(CoverImageError) {
        guard let loader = gdk_pixbuf_loader_new_with_type(format.rawValue, nil) else {
            throw CoverImageError(.unsupported, "\(format.rawValue) pictures cannot be scaled here")
        }
        self.loader = loader
        request = Request(longestSide: longestSide, pixelLimit: pixelLimit)
        // Not retained: the signal is emitted only while this object is in use.
        cgdkpixbuf_on_size_prepared(loader, sizePrepared, Unmanaged.passUnretained(request).toOpaque())
    }

    deinit {
        if isOpen { gdk_pixbuf_loader_close(loader, nil) }
        g_object_unref(UnsafeMutableRawPointer(loader))
    }

    /// The picture's own width and height in pixels.
    var dimensions: (width: Int, height: Int) { (request.width, request.height) }

    /// Whether the picture has a second frame, so that its first one is complete.
    var hasSecondFrame: Bool {
        gdk_pixbuf_loader_get_animation(loader).map { gdk_pixbuf_animation_is_static_image($0) == 0 } ?? false
    }

    /// Decodes the next bytes.
    mutating func write(_ bytes: ArraySlice<UInt8>) throws(CoverImageError) {
        var error: UnsafeMutablePointer<GError>?
        let succeeded = bytes.withUnsafeBufferPointer {
            gdk_pixbuf_loader_write(loader, $0.baseAddress, $0.count, &error)
        }
        try check(succeeded, error)
    }

    /// Ends the input and returns the decoded picture.
    /// - Parameter isWhole: whether all bytes were passed in; otherwise errors about a missing end are ignored.
    mutating func finish(isWhole: Bool) throws(CoverImageError) -> Pixbuf {
        var error: UnsafeMutablePointer<GError>?
        isOpen = false
        let succeeded = gdk_pixbuf_loader_close(loader, &error)
        if isWhole {
            try check(succeeded, error)
        } else if let error {
            g_error_free(error)
        }
        guard let decoded = gdk_pixbuf_loader_get_pixbuf(loader),
            let upright = gdk_pixbuf_apply_embedded_orientation(decoded)
        else { throw CoverImageError(.corrupt, "the picture holds no pixels") }
        return Pixbuf(owning: upright)
    }

    /// Turns a status of the library into an error.
    private func check(_ succeeded: Int32, _ error: UnsafeMutablePointer<GError>?) throws(CoverImageError) {
        guard succeeded == 0 else { return }
        defer { if let error { g_error_free(error) } }
        guard !request.isTooLarge else {
            throw CoverImageError(
                .tooLarge,
                "the picture has \(request.width) × \(request.height) pixels; at most \(request.pixelLimit) are decoded"
            )
        }
        let reason = error?.pointee.message.map { String(cString: $0) }
        throw CoverImageError(.corrupt, reason ?? "the picture cannot be decoded")
    }
}

private func sizePrepared(
    _ loader: OpaquePointer?, _ width: Int32, _ height: Int32, _ context: UnsafeMutableRawPointer?
) {
    guard let context else { return }
    let request = Unmanaged<PixbufLoader.Request>.fromOpaque(context).takeUnretainedValue()
    let (width, height) = (Int(width), Int(height))
    (request.width, request.height) = (width, height)
    guard width.multipliedReportingOverflow(by: height).partialValue <= request.pixelLimit else {
        request.isTooLarge = true
        // Decoders refuse a picture without pixels before they allocate memory for it.
        return gdk_pixbuf_loader_set_size(loader, 0, 0)
    }
    let longest = max(width, height)
    guard longest > request.longestSide else { return }
    func scaled(_ side: Int) -> Int32 {
        Int32(max(1, (side * request.longestSide + longest / 2) / longest))
    }
    gdk_pixbuf_loader_set_size(loader, scaled(width), scaled(height))
}
