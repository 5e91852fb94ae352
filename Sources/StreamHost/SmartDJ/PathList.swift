/// The paths in the values of `paths=`.
enum PathList {
    /// Endings after which a comma separates two paths.
    private static let endings: Set<String> = [
        "mp3", "flac", "m4a", "mp4", "aac", "alac", "ogg", "oga", "opus", "wav", "wma", "aif", "aiff", "ape",
        "wv",
    ]

    /// The paths of a value. The parameter may be repeated, or one value hold several paths with commas between.
    ///
    /// Commas occur in names too. So a comma separates only after the ending of a sound file, and in no value that is
    /// the path of a track as it stands.
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
