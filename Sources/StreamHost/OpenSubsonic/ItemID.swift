/// An id of the protocol: the kind of an item and its number in the library, such as `tr-17`.
///
/// The numbers stay the same through scans, and a track keeps its number when its file is moved or its tags change.
enum ItemID: Hashable, Sendable, CustomStringConvertible {
    /// A song.
    case track(Int)
    /// An album.
    case album(Int)
    /// An artist.
    case artist(Int)
    /// A playlist.
    case playlist(Int)
    /// An internet radio station.
    case station(Int)
    /// The music folder, as the root of directories.
    case folder

    /// The id of the music folder, a number as the protocol wants it.
    static let folderNumber = 1

    /// Reads an id; nil where it is not one of this server's.
    init?(_ text: String) {
        if text == String(Self.folderNumber) {
            self = .folder
            return
        }
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        // Only digits: Int also reads a sign.
        guard parts.count == 2, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(parts[1])
        else { return nil }
        switch parts[0] {
        case "tr": self = .track(number)
        case "al": self = .album(number)
        case "ar": self = .artist(number)
        case "pl": self = .playlist(number)
        case "ra": self = .station(number)
        default: return nil
        }
    }

    /// The id as clients see it.
    var description: String {
        switch self {
        case .track(let number): "tr-\(number)"
        case .album(let number): "al-\(number)"
        case .artist(let number): "ar-\(number)"
        case .playlist(let number): "pl-\(number)"
        case .station(let number): "ra-\(number)"
        case .folder: String(Self.folderNumber)
        }
    }
}
