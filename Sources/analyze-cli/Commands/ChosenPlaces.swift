import CommandLineProgram
import LibraryStore

/// Files and folders in the music folder that a command is limited to.
struct ChosenPlaces {
    /// The files and folders, relative to the music folder; empty for all.
    let places: [RelativePath]

    /// Parses operands.
    /// - Throws: `UsageError` for a path outside the music folder.
    init(_ operands: some Sequence<String>) throws {
        places = try operands.map { text in
            // Shell completion adds a slash to folders.
            guard let path = RelativePath(text: text.hasSuffix("/") ? String(text.dropLast()) : text) else {
                throw UsageError(message: "\(text) is not a path inside the music folder")
            }
            return path
        }
    }

    /// Returns the given file or folder that contains a track, or the track itself if none were given; nil if it was not chosen.
    func place(of path: RelativePath) -> RelativePath? {
        guard !places.isEmpty else { return path }
        return places.first { $0 == path || path.bytes.starts(with: $0.bytes + [UInt8(ascii: "/")]) }
    }
}
