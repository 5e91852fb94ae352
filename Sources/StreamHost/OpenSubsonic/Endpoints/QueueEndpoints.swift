internal import Companion
internal import LibraryStore
internal import MusicShared
internal import OpenSubsonic

/// The play queue and bookmarks of an account.
struct QueueEndpoints: SubsonicEndpoints {
    /// The longest note of a bookmark, in characters.
    private static let commentLimit = 2000

    let listening: AccountListening

    var handlers: [String: Handler] {
        [
            "savePlayQueue": { try save($0) },
            "savePlayQueueByIndex": { try saveByIndex($0) },
            "getPlayQueue": { try queue($0, "playQueue") { id, _ in .id(id) } },
            "getPlayQueueByIndex": { try queue($0, "playQueueByIndex") { _, index in .index(index) } },
            "getBookmarks": { try bookmarks($0) },
            "createBookmark": { try createBookmark($0) },
            "deleteBookmark": { try deleteBookmark($0) },
        ]
    }

    // MARK: - Play queue

    private func save(_ call: SubsonicCall) throws -> SubsonicAnswer {
        let tracks = try call.request.trackIDs("id")
        var current: Int?
        if !tracks.isEmpty {
            let id = try call.request.trackID("current")
            current = tracks.firstIndex(of: id)
            guard current != nil else {
                throw SubsonicError(.generic, "\"current\" must be one of the songs in \"id\".")
            }
        }
        return try store(call, tracks, current)
    }

    private func saveByIndex(_ call: SubsonicCall) throws -> SubsonicAnswer {
        let tracks = try call.request.trackIDs("id")
        let index = try call.request.integer("currentIndex")
        if !tracks.isEmpty {
            guard let index, tracks.indices.contains(index) else {
                throw SubsonicError(
                    .missingParameter, "\"currentIndex\" must be from 0 to \(tracks.count - 1).")
            }
        }
        return try store(call, tracks, tracks.isEmpty ? nil : index)
    }

    private func store(_ call: SubsonicCall, _ tracks: [Int], _ current: Int?) throws -> SubsonicAnswer {
        guard tracks.count <= CatalogueLimits.playlistEntries else {
            throw SubsonicError(
                .generic, "A play queue has at most \(CatalogueLimits.playlistEntries) songs.")
        }
        let position = try call.request.integer("position") ?? 0
        try listening.saveQueue(
            trackIDs: tracks, currentIndex: current,
            positionMilliseconds: max(0, position),
            changedBy: ListeningEndpoints.client(call.request) ?? "")
        return .empty
    }

    private func queue(
        _ call: SubsonicCall, _ name: String, current: (_ id: String?, _ index: Int?) -> PlayQueue.Current
    ) throws -> SubsonicAnswer {
        guard let saved = try listening.queue() else { return .empty }
        let songs = try listening.look { reader in
            try SubsonicItems(reader: reader).songs(saved.tracks)
        }
        let place = saved.currentIndex.flatMap { songs.indices.contains($0) ? $0 : nil }
        return .element(
            name,
            PlayQueue(
                current: current(place.map { songs[$0].id }, place), position: saved.positionMilliseconds,
                username: call.account.name,
                changed: saved.changedAt, changedBy: saved.changedBy, entries: songs))
    }

    // MARK: - Bookmarks

    private func bookmarks(_ call: SubsonicCall) throws -> SubsonicAnswer {
        let saved = try listening.bookmarks()
        let bookmarks = try listening.look { reader in
            let songs = try SubsonicItems(reader: reader).songs(saved.map(\.track))
            return zip(saved, songs).map { bookmark, song in
                var object = SubsonicObject()
                object.add("position", bookmark.positionMilliseconds)
                object.add("username", call.account.name)
                object.add("comment", bookmark.comment)
                object.add("created", time: bookmark.createdAt)
                object.add("changed", time: bookmark.changedAt)
                object.add("entry", song)
                return object
            }
        }
        return .element("bookmarks", SubsonicObject(list: "bookmark", bookmarks))
    }

    private func createBookmark(_ call: SubsonicCall) throws -> SubsonicAnswer {
        let id = try call.request.trackID()
        let position = try call.request.requireInteger("position")
        let comment = call.request.text("comment").map { String($0.prefix(Self.commentLimit)) }
        guard
            try listening.setBookmark(
                trackID: id, positionMilliseconds: max(0, position), comment: comment)
        else { throw SubsonicError.noSuch("song", ItemID.track(id).description) }
        return .empty
    }

    private func deleteBookmark(_ call: SubsonicCall) throws -> SubsonicAnswer {
        let id = try call.request.trackID()
        guard try listening.removeBookmark(trackID: id) else {
            throw SubsonicError.noSuch("bookmark", ItemID.track(id).description)
        }
        return .empty
    }
}
