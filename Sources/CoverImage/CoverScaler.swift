internal import Foundation

/// Scales pictures down.
package struct CoverScaler: Sendable {
    /// The result of scaling.
    package enum Outcome: Sendable, Equatable {
        /// The picture is valid and no larger than requested: serve the original.
        case original
        /// A smaller picture: PNG if parts of it are transparent, otherwise JPEG.
        case scaled([UInt8], PictureFormat)
    }

    /// The most pixels that are decoded: 50 million, at most 200 MB in memory.
    package static let pixelLimit = 50_000_000
    /// Bytes handed to the decoder at a time, between which it can be stopped.
    private static let chunk = 1 << 16

    /// How long decoding may take, in seconds.
    package var timeoutSeconds = 20.0
    /// The most pixels that are decoded.
    package var pixelLimit = CoverScaler.pixelLimit

    /// A scaler with the standard limits.
    package init() {}

    /// Scales a picture down, never up, turned upright as its EXIF orientation says; of an animation the first frame.
    ///
    /// Blocks while it decodes. Memory is bounded by ``pixelLimit``, not by the picture.
    /// - Parameter longestSide: the longer side of the result in pixels.
    /// - Throws: `notAPicture`, `unsupported`, `corrupt`, `tooLarge`, `tooSlow`.
    package func scale(_ bytes: [UInt8], longestSide: Int) throws(CoverImageError) -> Outcome {
        guard let format = PictureFormat(bytes) else {
            throw CoverImageError(.notAPicture, "the bytes are no JPEG, PNG, GIF, BMP or WebP picture")
        }
        guard format.isComplete(bytes) else {
            throw CoverImageError(.corrupt, "the picture breaks off before its end")
        }
        var loader = try PixbufLoader(format, longestSide: longestSide, pixelLimit: pixelLimit)
        let deadline = ProcessInfo.processInfo.systemUptime + timeoutSeconds
        var offset = 0
        while offset < bytes.count, !loader.hasSecondFrame {
            guard ProcessInfo.processInfo.systemUptime < deadline else {
                throw CoverImageError(
                    .tooSlow, "decoding the picture takes longer than \(timeoutSeconds) seconds")
            }
            let end = min(bytes.count, offset + Self.chunk)
            try loader.write(bytes[offset..<end])
            offset = end
        }
        let picture = try loader.finish(isWhole: offset == bytes.count)
        let (width, height) = loader.dimensions
        guard max(width, height) > longestSide else { return .original }
        let result: PictureFormat = picture.isTransparent ? .png : .jpeg
        return .scaled(try picture.encoded(as: result), result)
    }
}
