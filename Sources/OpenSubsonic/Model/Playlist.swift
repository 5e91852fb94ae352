/// A playlist.
package struct Playlist: SubsonicRepresentable, Equatable {
    /// The id.
    package var id: String
    /// The name.
    package var name: String
    /// The description.
    package var comment: String?
    /// The account that owns it.
    package var owner: String
    /// Whether all accounts see it.
    package var isPublic = false
    /// Number of songs.
    package var songCount: Int
    /// Length in seconds.
    package var duration: Int
    /// When it was created, in seconds since 1970.
    package var created: Double
    /// When it last changed, in seconds since 1970.
    package var changed: Double
    /// The cover's id.
    package var coverArt: String?
    /// Whether its songs cannot be changed by the account that reads it.
    package var isReadOnly = false
    /// The songs; nil in lists of playlists.
    package var entries: [Child]?

    /// Creates a playlist without songs.
    package init(
        id: String, name: String, owner: String, songCount: Int, duration: Int, created: Double,
        changed: Double
    ) {
        self.id = id
        self.name = name
        self.owner = owner
        self.songCount = songCount
        self.duration = duration
        self.created = created
        self.changed = changed
    }

    /// The fields of a `Playlist`, or of a `PlaylistWithSongs` where there are entries.
    package var object: SubsonicObject {
        var object = SubsonicObject()
        object.add("id", id)
        object.add("name", name)
        object.add("comment", comment)
        object.add("owner", owner)
        object.add("public", isPublic)
        object.add("songCount", songCount)
        object.add("duration", duration)
        object.add("created", time: created)
        object.add("changed", time: changed)
        object.add("coverArt", coverArt)
        if isReadOnly { object.add("readonly", true) }
        object.add("entry", entries)
        return object
    }
}

/// The play queue that an account saved.
package struct PlayQueue: SubsonicRepresentable, Equatable {
    /// The playing entry.
    package enum Current: Sendable, Equatable {
        /// By the song's id.
        case id(String?)
        /// By its place, counted from 0.
        case index(Int?)
    }

    private let current: Current
    private let position: Int
    private let username: String
    private let changed: Double
    private let changedBy: String
    private let entries: [Child]

    /// Creates a queue.
    /// - Parameters:
    ///   - position: the position in the playing entry, in milliseconds.
    ///   - changed: when it was saved, in seconds since 1970.
    ///   - changedBy: the app that saved it.
    package init(
        current: Current, position: Int, username: String, changed: Double, changedBy: String,
        entries: [Child]
    ) {
        self.current = current
        self.position = position
        self.username = username
        self.changed = changed
        self.changedBy = changedBy
        self.entries = entries
    }

    /// The fields of a `PlayQueue` or `PlayQueueByIndex`.
    package var object: SubsonicObject {
        var object = SubsonicObject()
        switch current {
        case .id(let id): object.add("current", id)
        case .index(let index): object.add("currentIndex", index)
        }
        object.add("position", position)
        object.add("username", username)
        object.add("changed", time: changed)
        object.add("changedBy", changedBy)
        object.add("entry", entries)
        return object
    }
}
