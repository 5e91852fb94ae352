internal import Foundation
internal import LibraryStore

/// The place that the paths of a plan are relative to.
package enum TrackRoot: Sendable, Equatable {
    /// A folder by its absolute path, in the file system's bytes, without a trailing slash; empty for the root folder.
    case folder([UInt8])

    /// Reads the text of a root, as in ``text``. Nil if it is neither an absolute path nor an address of a bucket.
    package init?(text: String) {
        guard text.hasPrefix("/") else { return nil }
        let rest = String(text.drop { $0 == "/" })
        guard !rest.isEmpty else {
            self = .folder([])
            return
        }
        guard let path = RelativePath(text: rest.hasSuffix("/") ? String(rest.dropLast()) : rest) else {
            return nil
        }
        self = .folder([UInt8(ascii: "/")] + path.bytes)
    }

    /// The absolute path, in the form of ``RelativePath/text``.
    package var text: String {
        switch self {
        case .folder(let bytes): "/" + (RelativePath(bytes: Array(bytes.dropFirst()))?.text ?? "")
        }
    }
}
