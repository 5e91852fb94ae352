/// An account and what it may do.
package struct User: SubsonicRepresentable, Equatable {
    private let username: String

    /// Describes the owner's account.
    package init(owner username: String) { self.username = username }

    /// The fields of a `User`. Roles of features that the server does not have are false.
    package var object: SubsonicObject {
        var object = SubsonicObject()
        object.add("username", username)
        object.add("scrobblingEnabled", true)
        let granted: Set = [
            "adminRole", "settingsRole", "downloadRole", "uploadRole", "playlistRole", "coverArtRole",
            "streamRole",
        ]
        for role in Self.roles { object.add(role, granted.contains(role)) }
        object.add("folder", [1])
        return object
    }

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
