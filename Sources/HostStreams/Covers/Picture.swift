internal import Analyzer
internal import CoverImage
internal import HTTPServer

/// A cover as found in a file's tags or in a picture file.
struct Picture: Sendable {
    /// Where the picture's bytes are stored.
    enum Source: Sendable {
        /// In the tags of the file at a path.
        case tags([UInt8])
        /// In a picture file.
        case file(HTTPFile)
    }

    /// Properties that depend only on the picture's bytes.
    struct Identity: Sendable {
        /// Hash of the bytes.
        let hash: String
        /// Detected from the bytes, regardless of the tag's MIME type.
        let format: PictureFormat
    }

    let source: Source
    let identity: Identity
}

extension Picture.Identity {
    /// - Throws: `notAPicture` if the format is unknown.
    init(_ bytes: [UInt8]) throws(CoverImageError) {
        guard let format = PictureFormat(bytes) else {
            throw CoverImageError(
                .notAPicture, "the file's cover is not a JPEG, PNG, GIF, BMP or WebP picture")
        }
        self.format = format
        hash = AudioHash(of: bytes.span.bytes).description
    }
}
