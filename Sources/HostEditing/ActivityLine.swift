internal import LibraryStore

/// Formats log lines about changed files.
enum ActivityLine {
    /// Returns a line such as "edit: 3 files changed, first Band/Song.mp3"; nil if `files` is empty.
    static func text(_ activity: String, _ files: [RelativePath], _ done: String) -> String? {
        guard let first = files.first else { return nil }
        return files.count == 1
            ? "\(activity): 1 file \(done), \(first.text)"
            : "\(activity): \(files.count) files \(done), first \(first.text)"
    }
}
