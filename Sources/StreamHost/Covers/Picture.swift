internal import Analyzer
internal import CoverImage
internal import HTTPServer

/// A cover as it was found: in a file's tags or as a file of its own.
struct Picture: Sendable {
    /// Where its bytes are.
    enum Source: Sendable {
        /// In the tags of the file at a path.
        case tags([UInt8])
        /// In a file of its own.
        case file(HTTPFile)
    }

    /// What stays the same as long as the bytes do.
    struct Identity: Sendable {
        /// Names the bytes.
        let hash: String
        /// Told by the bytes, whatever the tag says.
        let format: PictureFormat
    }

    let source: Source
    let identity: Identity
}

extension Picture.Identity {
    /// - Throws: `notAPicture` for bytes of no known format.
    init(_ bytes: [UInt8]) throws(CoverImageError) {
        guard let format = PictureFormat(bytes) else {
            throw CoverImageError(.notAPicture, "the file's cover is no JPEG, PNG, GIF, BMP or WebP picture")
        }
        self.format = format
        hash = AudioHash(of: bytes.span.bytes).description
    }
}
