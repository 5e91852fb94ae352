internal import Catalogue
internal import Companion
internal import HostAccounts
internal import LibraryStore
internal import MusicShared

/// The tracks that shares open: as the library has them now, so that a changed playlist changes its share.
struct SharedTracks: Sendable {
    /// The most items of one share, and the most tracks that it opens.
    static let limit = 1000

    let library: LibraryStore

    /// Returns the available tracks of a share in order. Playlists that its account no longer sees are left out.
    func tracks(of share: Share) throws -> [TrackItem] {
        try library.catalogue { catalogue in
            var ids: [Int] = []
            for item in share.items {
                switch item {
                case .track(let id): ids.append(id)
                case .album(let id): ids += try catalogue.album(id: id)?.tracks?.map(\.id) ?? []
                case .playlist(let id):
                    guard try catalogue.isPlaylist(id, visibleTo: share.accountID) else { continue }
                    ids += try catalogue.trackIDs(playlistID: id)
                }
            }
            return try catalogue.tracks(ids: Array(ids.prefix(Self.limit))).filter(\.isAvailable)
        }
    }

    /// Returns the first of some items that the library does not have, or an account does not see; nil if it sees all.
    func firstMissing(of items: [Share.Item], for accountID: Int) throws -> Share.Item? {
        try library.catalogue { catalogue in
            try items.first { item in
                switch item {
                case .track(let id): try catalogue.track(id: id) == nil
                case .album(let id): try catalogue.albumItem(id: id) == nil
                case .playlist(let id): try !catalogue.isPlaylist(id, visibleTo: accountID)
                }
            }
        }
    }
}
