internal import FLACAudio
internal import MPEGAudio
internal import MusicShared
internal import Synchronization

/// An HLS stream.
final class HLSSource: MediaSource {
    let address: String
    let fields: TransportFields
    let context: StreamContext
    private let server: Reconnection
    /// Complete playlists by URL.
    private let kept = Mutex<[String: HLSPlaylist]>([:])
    /// Keys by URL.
    private let keys = Mutex<[String: [UInt8]]>([:])

    /// The header of a frame of the stream, once one has been read.
    private let seen = Mutex<MPEGFrameHeader?>(nil)

    /// STREAMINFO blocks by the URL of the initialization segment.
    private let maps = Mutex<[String: StreamInfo]>([:])

    private static let largestPlaylist = 16 << 20
    private static let largestMap = 1 << 20

    init(_ address: String, fields: TransportFields, context: StreamContext) {
        self.address = address
        self.fields = fields
        self.context = context
        server = Reconnection(context.transport)
    }

    func reader(from seconds: Double) -> any MediaReader { HLSReader(self, from: seconds) }

    /// The header of a frame of the stream; nil before one has been read.
    var header: MPEGFrameHeader? {
        get { seen.withLock { $0 } }
        set { seen.withLock { $0 = newValue } }
    }

    /// Returns a playlist from the cache, or fetches it.
    func playlist(_ address: String) async throws(PlaybackError) -> HLSPlaylist {
        if let known = kept.withLock({ $0[address] }) { return known }
        let (bytes, final) = try await fetch(address, limit: Self.largestPlaylist)
        let playlist = try Self.playlist(String(decoding: bytes, as: UTF8.self), from: final)
        switch playlist {
        case .master: kept.withLock { $0[address] = playlist }
        case .media(let media): if media.isEnded { kept.withLock { $0[address] = playlist } }
        }
        return playlist
    }

    /// Caches a playlist that has already been fetched.
    func keep(_ playlist: HLSPlaylist) {
        if case .media(let media) = playlist, !media.isEnded { return }
        kept.withLock { $0[address] = playlist }
    }

    func key(_ address: String) async throws(PlaybackError) -> [UInt8] {
        if let known = keys.withLock({ $0[address] }) { return known }
        let (bytes, _) = try await fetch(address, limit: 64)
        keys.withLock { $0[address] = bytes }
        return bytes
    }

    /// Returns the STREAMINFO block of an initialization segment from the cache, or fetches it.
    func information(_ address: String) async throws(PlaybackError) -> StreamInfo {
        if let known = maps.withLock({ $0[address] }) { return known }
        let (bytes, _) = try await fetch(address, limit: Self.largestMap)
        guard let information = FragmentFeed.information(in: bytes) else {
            throw PlaybackError(
                .unsupported,
                "the stream is fragmented MP4 of another codec than FLAC, which is not supported")
        }
        maps.withLock { $0[address] = information }
        return information
    }

    private func fetch(_ address: String, limit: Int) async throws(PlaybackError) -> ([UInt8], String) {
        var request = TransportRequest(
            address, fields: fields, acceptsCompression: true, timeouts: context.timeouts)
        request.timeouts.whole = request.timeouts.response + request.timeouts.idle
        let response = try await server.fetch(request)
        if let error = PlaybackError(status: response.status) { throw error }
        do throws(TransportError) {
            return (try await response.body.collect(upTo: limit), response.address)
        } catch {
            throw PlaybackError(error)
        }
    }
}

extension HLSSource {
    /// Parses a playlist. Variants with other codecs than MP3 and FLAC are left out.
    /// - Throws: `bad_playlist`, or `unsupported` if the stream requires an unsupported feature.
    static func playlist(_ text: String, from address: String) throws(PlaybackError) -> HLSPlaylist {
        try PlaybackError.readingPlaylist { () throws(HLSPlaylistError) in
            try HLSPlaylist(text, from: address) { codecs in
                guard let codecs = codecs?.lowercased() else { return true }
                return ["mp4a.40.34", "mp4a.6b", "mp4a.69", "mp3", "flac"].contains { codecs.contains($0) }
            }
        }
    }
}

extension PlaybackError {
    /// Maps errors of playlists.
    static func readingPlaylist<Result>(
        _ body: () throws(HLSPlaylistError) -> Result
    ) throws(PlaybackError) -> Result {
        do throws(HLSPlaylistError) {
            return try body()
        } catch {
            throw PlaybackError(error.code == .unsupported ? .unsupported : .badPlaylist, error.message)
        }
    }
}
