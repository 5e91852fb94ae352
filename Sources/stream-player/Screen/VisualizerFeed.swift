import Foundation
import MusicShared
import StreamClient

/// Fetches the spectrum frames of a host's tracks when they start.
actor VisualizerFeed {
    /// The spectrum frames of a track: rows of band levels.
    struct Frames: Sendable {
        let bandCount: Int
        let framesPerSecond: Double
        let levels: ArraySlice<UInt8>

        /// Parses the host's format: a 32-byte little-endian header starting with "AVF1", followed by rows of bytes.
        init?(_ bytes: [UInt8]) {
            func word(_ place: Int) -> UInt32 {
                (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << (8 * $1) }
            }
            guard bytes.count >= 32, bytes.starts(with: "AVF1".utf8), bytes[20] == 0 else { return nil }
            let head = Int(word(4))
            bandCount = Int(word(12))
            framesPerSecond = Double(Float(bitPattern: word(16)))
            guard head >= 32, head <= bytes.count, (1...4096).contains(bandCount), framesPerSecond > 0,
                framesPerSecond < 1000
            else { return nil }
            levels = bytes[head...]
        }

        /// Returns the bands at a position; nil outside the track.
        func bands(atSeconds seconds: Double) -> ArraySlice<UInt8>? {
            let row = Int(seconds * framesPerSecond)
            let start = levels.startIndex + row * bandCount
            guard row >= 0, start + bandCount <= levels.endIndex else { return nil }
            return levels[start..<start + bandCount]
        }
    }

    private static let largest = 64 << 20

    private let connection: HostConnection?
    private var itemID: String?
    private var frames: Frames?

    /// - Parameter connection: the connection to the host, if a host's tracks are played.
    init(_ connection: HostConnection?) { self.connection = connection }

    /// Returns the bands of an item at a position. Nil until they have been loaded, and for items that are not a host's.
    func bands(of item: PlayableItem, atSeconds seconds: Double) -> ArraySlice<UInt8>? {
        if itemID != item.id {
            itemID = item.id
            frames = nil
            Task { await fetch(item) }
        }
        return frames?.bands(atSeconds: seconds)
    }

    private func fetch(_ item: PlayableItem) async {
        guard let connection, let id = item.trackID,
            let response = try? await connection.fetch(Routes.path(Routes.visualizer, id)),
            response.status == 200,
            let bytes = try? await response.body.collect(upTo: Self.largest), itemID == item.id
        else { return }
        frames = Frames(bytes)
    }
}
