internal import Catalogue
internal import MusicShared

extension SortKey {
    /// The sort key of a track: its title, or else its file name.
    static func key(title: String?, path: RelativePath) -> String {
        if let title { return key(title) }
        return key(AudioFormat.stem(of: path.name))
    }
}
