/// A share: an address that plays some songs for anyone.
package struct SharedMedia: SubsonicRepresentable, Equatable {
    /// The id.
    package var id: String
    /// The address of its page.
    package var url: String
    /// The description.
    package var description: String?
    /// The account that created it.
    package var username: String
    /// When it was created, in seconds since 1970.
    package var created: Double
    /// When it expires, in seconds since 1970; nil if never.
    package var expires: Double?
    /// When its page was last opened, in seconds since 1970; nil if never.
    package var lastVisited: Double?
    /// Number of times that its page was opened.
    package var visitCount: Int
    /// The songs.
    package var entries: [Child] = []

    /// Creates a share without songs and visits.
    package init(id: String, url: String, username: String, created: Double) {
        self.id = id
        self.url = url
        self.username = username
        self.created = created
        visitCount = 0
    }

    /// The fields of a `Share`.
    package var object: SubsonicObject {
        var object = SubsonicObject()
        object.add("id", id)
        object.add("url", url)
        object.add("description", description)
        object.add("username", username)
        object.add("created", time: created)
        object.add("expires", time: expires)
        object.add("lastVisited", time: lastVisited)
        object.add("visitCount", visitCount)
        object.add("entry", entries)
        return object
    }
}
