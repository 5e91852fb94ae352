internal import Crypto
internal import MusicShared
internal import Threads

/// A station that is a live HLS stream (RFC 8216): packed MP3 or AAC, or either of them in a transport stream.
final class LiveHLSSource: StationSource {
    let delivery = StationCheck.Delivery.hls
    let description: StationDescription

    private static let segmentLimit = 32 << 20
    private static let codecs = ["mp4a.40.2", "mp4a.40.5", "mp4a.40.29", "mp4a.40.34", "mp4a.6", "mp3"]

    private let opener: StationOpener
    private let address: String
    private var media: HLSMediaPlaylist
    /// Number of the next segment.
    private var sequence: Int
    private var reloadAt = ContinuousClock.now
    private var keys: [String: [UInt8]] = [:]
    private var lastTitle = ""

    /// - Parameters:
    ///   - text: a master or media playlist.
    ///   - address: its URL.
    init(_ text: String, from address: String, opener: StationOpener) throws(RelayError) {
        self.opener = opener
        var address = address
        var playlist = try Self.playlist(text, address)
        var bitRate: Int?
        if case .master(let master) = playlist {
            // Only audio matters, and the relay's listeners share it: the best that is audio alone, or else the smallest.
            let best = master.variants.max { $0.bandwidth < $1.bandwidth }
            let isSound = { (codecs: String?) in codecs?.lowercased().contains("avc") != true }
            let chosen =
                master.variants.filter { isSound($0.codecs) && $0.bandwidth <= 400_000 }
                .max { $0.bandwidth < $1.bandwidth } ?? master.variants.min { $0.bandwidth < $1.bandwidth }
            guard let variant = chosen ?? best else {
                throw RelayError(.badAnswer, "the master playlist has no variants")
            }
            bitRate = variant.bandwidth > 0 ? variant.bandwidth : nil
            let found = try opener.content(variant.address, limit: StationOpener.listLimit)
            address = found.address
            playlist = try Self.playlist(String(decoding: found.bytes, as: UTF8.self), address)
        }
        guard case .media(let media) = playlist else {
            throw RelayError(.badAnswer, "the master playlist refers to another master playlist")
        }
        guard !media.isEnded else { throw RelayError(.badAnswer, "the stream is not live") }
        self.address = address
        self.media = media
        description = StationDescription(bitRate: bitRate)
        // As close to the present as the standard permits: three target durations (§6.3.3).
        var rest = 3 * media.targetSeconds
        let start = media.segments.lastIndex { segment in
            rest -= segment.seconds
            return rest <= 0
        }
        let first = media.segments.indices.contains(start ?? 0) ? media.segments[start ?? 0] : nil
        sequence = first?.sequence ?? 0
        reloadAt = .now + .seconds(media.targetSeconds / 2)
    }

    func next() throws(RelayError) -> [StationPart] {
        if let first = media.segments.first, sequence < first.sequence { sequence = first.sequence }
        if let last = media.segments.last, sequence > last.sequence + 10 { sequence = last.sequence }
        if let segment = media.segments.first(where: { $0.sequence == sequence }) {
            let parts = try read(segment)
            sequence += 1
            return parts
        }
        guard !media.isEnded else { throw RelayError(.unreachable, "the station ended its stream") }
        let wait = ContinuousClock.now.duration(to: reloadAt) / .seconds(1)
        if wait > 0 {
            DedicatedThread.sleep(seconds: min(0.5, wait))
            return []
        }
        try reload()
        return []
    }

    private func reload() throws(RelayError) {
        let found = try opener.content(address, limit: StationOpener.listLimit)
        guard
            case .media(let newer) = try Self.playlist(
                String(decoding: found.bytes, as: UTF8.self), found.address)
        else { throw RelayError(.badAnswer, "the playlist was replaced by a master playlist") }
        reloadAt = .now + .seconds(max(0.5, newer.targetSeconds / 2))
        media = newer
    }

    private func read(_ segment: HLSMediaPlaylist.Segment) throws(RelayError) -> [StationPart] {
        guard segment.map == nil else {
            throw RelayError(.unsupportedFormat, "HLS stations in fragmented MP4 are not supported")
        }
        var bytes = try opener.content(
            segment.address, limit: Self.segmentLimit, range: segment.byteRange
        ).bytes
        if let key = segment.key { bytes = try decrypt(bytes, key, sequence: segment.sequence) }
        if TransportStreamFeed.begins(bytes) {
            var feed = TransportStreamFeed()
            bytes = feed.take(bytes)
        }
        var parts: [StationPart] = []
        if let title = Self.title(segment.title), title != lastTitle {
            lastTitle = title
            parts.append(.title(StationTitle(text: title)))
        }
        return parts + [.sound(bytes)]
    }

    private func decrypt(
        _ bytes: [UInt8], _ key: HLSMediaPlaylist.Key, sequence: Int
    ) throws(RelayError) -> [UInt8] {
        let secret: [UInt8]
        if let known = keys[key.address] {
            secret = known
        } else {
            secret = try opener.content(key.address, limit: 1024).bytes
            // Stations replace their keys now and then.
            if keys.count > 8 { keys = [:] }
            keys[key.address] = secret
        }
        let vector =
            key.vector
            ?? (0..<16).map { $0 < 8 ? 0 : UInt8(truncatingIfNeeded: sequence >> (8 * (15 - $0))) }
        guard let plain = AESDecryption.decrypt(bytes, key: secret, vector: vector) else {
            throw RelayError(.badAnswer, "a segment cannot be decrypted with its key")
        }
        return plain
    }

    /// The title in the text of a segment: plain, or as attributes `title="…",artist="…"`; nil if it has none.
    static func title(_ text: String) -> String? {
        let attributes = HLSAttributes(text)
        guard text.contains("=\"") else {
            let plain = text.drop { $0 == " " }
            return plain.isEmpty || plain.lowercased() == "no desc" ? nil : String(plain)
        }
        let parts = [attributes["artist"], attributes["title"]].compactMap { $0 }.filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: " - ")
    }

    private static func playlist(_ text: String, _ address: String) throws(RelayError) -> HLSPlaylist {
        try StationOpener.readingPlaylist { () throws(HLSPlaylistError) in
            try HLSPlaylist(text, from: address) { stated in
                guard let stated = stated?.lowercased() else { return true }
                return codecs.contains { stated.contains($0) }
            }
        }
    }
}
