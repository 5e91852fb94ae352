internal import Foundation
internal import LibraryStore
internal import MusicFiles

/// The place that the paths of a plan are relative to.
package enum TrackRoot: Sendable, Equatable {
    /// A folder by its absolute path, in the file system's bytes, without a trailing slash; empty for the root folder.
    case folder([UInt8])
    /// The objects of a bucket whose keys start with a prefix, which is empty or ends with a slash.
    case bucket(String, prefix: String)

    private static let bucketScheme = "s3://"

    /// Reads the text of a root, as in ``text``. Nil if it is neither an absolute path nor the address of a bucket
    /// (`s3://bucket/prefix`).
    package init?(text: String) {
        if text.hasPrefix(Self.bucketScheme) {
            let parts = text.dropFirst(Self.bucketScheme.count).split(
                separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard let bucket = parts.first, !bucket.isEmpty, !bucket.contains(where: { "?#@: ".contains($0) })
            else {
                return nil
            }
            let prefix = parts.count == 2 ? String(parts[1]) : ""
            self = .bucket(
                String(bucket), prefix: prefix.isEmpty || prefix.hasSuffix("/") ? prefix : prefix + "/")
            return
        }
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

    /// The absolute path, in the form of ``RelativePath/text``, or the address of the bucket.
    package var text: String {
        switch self {
        case .folder(let bytes): "/" + (RelativePath(bytes: Array(bytes.dropFirst()))?.text ?? "")
        case .bucket(let name, let prefix): "\(Self.bucketScheme)\(name)/\(prefix)"
        }
    }
}

extension MusicFolder {
    /// Opens the folder of a plan.
    /// - Parameter root: as in ``TrackRoot/folder(_:)``.
    init(root: [UInt8]) throws(StoreError) { try self.init(bytes: root.isEmpty ? [UInt8(ascii: "/")] : root) }
}
