import Foundation
import MusicShared
import StreamClient

/// The visualizer frames of a host's tracks, fetched when a track begins.
actor VisualizerFeed {
    /// Levels of a track: rows of bands.
    struct Frames: Sendable {
        let bandCount: Int
        let framesPerSecond: Double
        let levels: ArraySlice<UInt8>

        /// Reads the host's form: a head of 32 bytes that begins with "AVF1", little-endian, and rows of bytes.
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

        /// The bands at a moment; nil outside.
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

    /// - Parameter connection: the way to the host whose tracks are played, if any are.
    init(_ connection: HostConnection?) { self.connection = connection }

    /// The bands of an item at a moment. Nil until they have come, and for what is not a host's.
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
