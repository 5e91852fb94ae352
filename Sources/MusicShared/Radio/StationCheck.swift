/// The stream found behind an address.
public struct StationCheck: Codable, Sendable, Equatable {
    /// How a stream arrives.
    public enum Delivery: String, Codable, Sendable, CaseIterable {
        /// One endless response.
        case stream
        /// HTTP Live Streaming.
        case hls
    }

    /// How it arrives.
    public var delivery: Delivery
    /// The format of its audio.
    public var format: StationFormat
    /// The station's own name, if it sends one.
    public var name: String?
    /// The station's genre, if it sends one.
    public var genre: String?
    /// The address of the station's web page, if it sends one.
    public var homepageURL: String?
    /// The bit rate in bits per second that the station states, if any.
    public var bitRate: Int?

    /// Memberwise initializer.
    public init(
        delivery: Delivery, format: StationFormat, name: String?, genre: String?, homepageURL: String?,
        bitRate: Int?
    ) {
        self.delivery = delivery
        self.format = format
        self.name = name
        self.genre = genre
        self.homepageURL = homepageURL
        self.bitRate = bitRate
    }

    private enum CodingKeys: String, CodingKey {
        case delivery, format, name, genre
        case homepageURL = "homepage_url"
        case bitRate = "bit_rate"
    }
}

/// The formats of stations that the host relays.
public enum StationFormat: String, Codable, Sendable, CaseIterable {
    /// MP3 frames.
    case mp3
    /// AAC frames with ADTS headers.
    case aac
}
