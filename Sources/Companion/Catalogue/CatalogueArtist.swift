/// An artist of the catalogue: of tracks, of albums or of both.
public struct CatalogueArtist: Sendable, Equatable, Identifiable {
    /// The artist's number.
    public var id: Int
    /// The name, in the spelling first seen.
    public var name: String
    /// How many tracks that can be played are by this artist.
    public var trackCount: Int
    /// How many albums are by this artist.
    public var albumCount: Int
}
