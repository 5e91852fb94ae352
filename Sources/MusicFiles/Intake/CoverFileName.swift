/// File names of cover pictures for the tracks in the same folder: `cover`, `folder`, `front` or `album`, as
/// `.jpg`, `.jpeg` or `.png`, in any case.
package enum CoverFileName {
    private static let names = ["cover", "folder", "front", "album"]
    private static let suffixes = ["jpg", "jpeg", "png"]

    /// The rank of a name, with 0 the best; nil if the file is not a cover.
    package static func rank(_ name: [UInt8]) -> Int? {
        let parts = String(decoding: name, as: UTF8.self).lowercased()
            .split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let first = names.firstIndex(of: String(parts[0])),
            let second = suffixes.firstIndex(of: String(parts[1]))
        else { return nil }
        return first * suffixes.count + second
    }
}
