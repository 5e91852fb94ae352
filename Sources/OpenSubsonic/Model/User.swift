/// An account and what it may do.
package struct User: SubsonicRepresentable, Equatable {
    private let username: String
    private let email: String?
    private let granted: Set<String>

    /// Describes an account.
    /// - Parameters:
    ///   - isEditor: whether it changes files: uploads and covers.
    ///   - isOwner: whether it manages the host.
    ///   - controlsJukebox: whether there is a jukebox, and the account may control it.
    package init(
        username: String, email: String?, isEditor: Bool, isOwner: Bool, controlsJukebox: Bool = false
    ) {
        self.username = username
        self.email = email
        granted = Self.all.union(isEditor ? Self.editors : []).union(isOwner ? Self.owners : [])
            .union(controlsJukebox ? ["jukeboxRole"] : [])
    }

    /// The fields of a `User`. Roles of features that the server does not have are false.
    package var object: SubsonicObject {
        var object = SubsonicObject()
        object.add("username", username)
        object.add("email", email)
        object.add("scrobblingEnabled", true)
        for role in Self.roles { object.add(role, granted.contains(role)) }
        object.add("folder", [1])
        return object
    }

    /// Rights of every account; `settingsRole` is that to change one's own password.
    private static let all: Set = [
        "settingsRole", "downloadRole", "playlistRole", "streamRole", "shareRole",
    ]
    private static let editors: Set = ["uploadRole", "coverArtRole"]
    private static let owners: Set = ["adminRole"]

    private static let roles = [
        "adminRole", "settingsRole", "downloadRole", "uploadRole", "playlistRole", "coverArtRole",
        "commentRole", "podcastRole", "streamRole", "jukeboxRole", "shareRole", "videoConversionRole",
    ]
}

/// An extension of the protocol that the server has.
package struct OpenSubsonicExtension: SubsonicRepresentable, Equatable {
    private let name: String
    private let versions: [Int]

    /// Names an extension.
    package init(_ name: String, versions: [Int] = [1]) {
        self.name = name
        self.versions = versions
    }

    /// The fields of an `OpenSubsonicExtension`.
    package var object: SubsonicObject {
        var object = SubsonicObject()
        object.add("name", name)
        object.add("versions", versions)
        return object
    }
}
