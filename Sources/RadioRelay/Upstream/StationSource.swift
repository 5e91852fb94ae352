internal import MusicShared

/// A part of what a station sends.
enum StationPart {
    /// Bytes of audio.
    case sound([UInt8])
    /// A title that is valid from here.
    case title(StationTitle)
}

/// The stream of a station, read by one thread.
protocol StationSource: AnyObject {
    /// How the stream arrives.
    var delivery: StationCheck.Delivery { get }
    /// The facts that the station states.
    var description: StationDescription { get }

    /// Waits for the next parts, at most about half a second.
    /// - Returns: the parts; empty if none arrived in time.
    func next() throws(RelayError) -> [StationPart]
}

/// The facts that a station states about itself.
struct StationDescription: Sendable, Equatable {
    var name: String?
    var genre: String?
    var homepageURL: String?
    /// Bits per second.
    var bitRate: Int?
}
