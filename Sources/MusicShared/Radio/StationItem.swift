/// An internet radio station.
public struct StationItem: Codable, Sendable, Equatable, Identifiable {
    /// Station ID.
    public var id: Int
    /// The name shown to listeners.
    public var name: String
    /// The address of the stream, or of a list of streams; nil for accounts that may not edit stations, since it can contain a
    /// password.
    public var streamURL: String?
    /// The address of the station's web page.
    public var homepageURL: String?
    /// Whether the host is connected to the station.
    public var isRelayed: Bool
    /// The title that is on air, if the host knows it.
    public var title: String?

    /// Memberwise initializer.
    public init(
        id: Int, name: String, streamURL: String?, homepageURL: String?, isRelayed: Bool = false,
        title: String? = nil
    ) {
        self.id = id
        self.name = name
        self.streamURL = streamURL
        self.homepageURL = homepageURL
        self.isRelayed = isRelayed
        self.title = title
    }

    private enum CodingKeys: String, CodingKey {
        case id, name, title
        case streamURL = "stream_url"
        case homepageURL = "homepage_url"
        case isRelayed = "is_relayed"
    }
}

/// The radio stations of a host.
public struct StationItemList: Codable, Sendable, Equatable {
    /// The stations by name.
    public var items: [StationItem]
    /// Whether the caller may edit stations.
    public var canEdit: Bool

    /// Memberwise initializer.
    public init(items: [StationItem], canEdit: Bool) {
        self.items = items
        self.canEdit = canEdit
    }

    private enum CodingKeys: String, CodingKey {
        case items
        case canEdit = "can_edit"
    }
}
