public import Analyzer

/// An album of the catalogue.
public struct CatalogueAlbum: Sendable, Equatable, Identifiable {
    /// The album's number.
    public var id: Int
    /// Title.
    public var title: String
    /// The album artist; where no tag names one, the artist that all its tracks have; nil if they differ.
    public var artist: String?
    /// The artist in the catalogue.
    public var artistID: Int?
    /// Whether it is marked as a compilation.
    public var isCompilation: Bool
    /// The earliest year of its tracks.
    public var year: Int?
    /// How many of its tracks can be played.
    public var trackCount: Int
    /// The album's loudness; nil until it is measured from all its tracks.
    public var loudness: AlbumLoudness?
}
