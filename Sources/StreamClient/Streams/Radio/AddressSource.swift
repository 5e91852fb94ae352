internal import MusicShared
internal import Synchronization

/// A source whose type is detected from the response: an HLS stream, a file, a station, or a list of stations.
final class AddressSource: MediaSource {
    private let address: String
    private let fields: TransportFields
    fileprivate let context: StreamContext
    private let found = Mutex<(any MediaSource)?>(nil)

    /// Maximum number of station lists that may refer to each other.
    private static let longestChain = 4
    private static let largestList = 1 << 20

    init(_ address: String, fields: TransportFields, context: StreamContext) {
        self.address = address
        self.fields = fields
        self.context = context
        let path = address.prefix { $0 != "?" && $0 != "#" }.lowercased()
        if path.hasSuffix(".m3u8") {
            found.withLock { $0 = HLSSource(address, fields: fields, context: context) }
        }
    }

    func reader(from seconds: Double) -> any MediaReader { AddressReader(self, from: seconds) }

    /// Returns a reader for the resource behind the URL.
    fileprivate func resolved(from seconds: Double) async throws(PlaybackError) -> any MediaReader {
        if let known = found.withLock({ $0 }) { return known.reader(from: seconds) }
        var address = address
        for _ in 0..<Self.longestChain {
            var asking = fields
            // Stations only interleave titles if the client requests them.
            asking["icy-metadata"] = "1"
            let resource = context.resource(address, asking)
            let run = try await resource.open(at: 0)
            let final = run.address.flatMap { $0.isEmpty ? nil : $0 } ?? address
            if StationList.isList(contentType: run.fields["content-type"] ?? "", address: final) {
                let text = try await Self.text(run)
                if text.contains("#EXT-X-") {
                    let source = HLSSource(final, fields: fields, context: context)
                    source.keep(try HLSSource.playlist(text, from: final))
                    return keep(source).reader(from: seconds)
                }
                guard let next = StationList(text).addresses.first else {
                    throw PlaybackError(.badPlaylist, "the list contains no stations")
                }
                address = try PlaybackError.readingPlaylist { () throws(HLSPlaylistError) in
                    try HLSPlaylist.resolve(next, final)
                }
                continue
            }
            if StationReader.isStation(run) {
                let source = StationSource(resource: context.resource(address, asking))
                keep(source)
                return StationReader(resource: source.resource, opened: run)
            }
            try ProgressiveReader.requireAudio(run)
            let source = ProgressiveSource(resource: context.resource(address, fields))
            keep(source)
            return seconds > 0
                ? source.reader(from: seconds) : source.reader(opened: run)
        }
        throw PlaybackError(.badPlaylist, "too many nested station lists")
    }

    @discardableResult
    private func keep(_ source: any MediaSource) -> any MediaSource {
        found.withLock { $0 = source }
        return source
    }

    private static func text(_ run: ByteRun) async throws(PlaybackError) -> String {
        var bytes: [UInt8] = []
        while let piece = try await run.next() {
            bytes += piece
            guard bytes.count <= largestList else {
                throw PlaybackError(.badPlaylist, "the list of stations is too long")
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Reads the resource behind a URL.
private final class AddressReader: MediaReader {
    private let source: AddressSource
    private let seconds: Double
    private var reader: (any MediaReader)?

    init(_ source: AddressSource, from seconds: Double) {
        self.source = source
        self.seconds = seconds
    }

    func next() async throws(PlaybackError) -> MediaPiece? {
        if let reader { return try await reader.next() }
        let found = try await source.resolved(from: seconds)
        reader = found
        return try await found.next()
    }
}
