/// Parses the values of the `paths` parameter.
enum PathList {
    /// File extensions after which a comma separates two paths.
    private static let endings: Set<String> = [
        "mp3", "flac", "m4a", "mp4", "aac", "alac", "ogg", "oga", "opus", "wav", "wma", "aif", "aiff", "ape",
        "wv",
    ]

    /// Returns the paths in a value. The parameter may be repeated, or a value may hold several
    /// comma-separated paths.
    ///
    /// Commas also occur in names, so a comma only separates after an audio file extension, and a value that
    /// is itself the path of a track is not split.
    static func paths(in value: String, isPath: (String) throws -> Bool) rethrows -> [String] {
        guard value.contains(","), try !isPath(value) else { return [value] }
        var paths: [String] = []
        var current = ""
        for part in value.split(separator: ",", omittingEmptySubsequences: false) {
            current += current.isEmpty ? part : ",\(part)"
            guard let dot = part.lastIndex(of: "."),
                endings.contains(part[part.index(after: dot)...].lowercased())
            else { continue }
            paths.append(current)
            current = ""
        }
        if !current.isEmpty { paths.append(current) }
        return paths
    }
}
