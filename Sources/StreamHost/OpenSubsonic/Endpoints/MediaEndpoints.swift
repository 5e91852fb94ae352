internal import Analyzer
internal import Catalogue
internal import Companion
internal import CoverImage
internal import Foundation
internal import HostAccounts
internal import HostStreams
internal import HTTPServer
internal import LibraryStore
internal import MPEGAudio
internal import MusicShared
internal import OpenSubsonic

/// Audio and covers.
struct MediaEndpoints: SubsonicEndpoints {
    let tracks: StreamedTracks
    let renditions: Renditions
    let library: LibraryStore
    let covers: CoverRoutes
    let secrets: CurrentSecrets

    /// Side of a placeholder in pixels, where none is asked for.
    private static let standardSide = 512

    var handlers: [String: Handler] {
        [
            "stream": { .http(try await stream($0.request)) },
            "download": { .http(try await download($0.request)) },
            "hls": { .http(try await hls($0)) },
            "hls.m3u8": { .http(try await hls($0)) },
            "getCoverArt": { .http(try await cover($0)) },
            "getTranscodeDecision": {
                .element("transcodeDecision", try await transcodeDecision($0.request))
            },
            "getTranscodeStream": { .http(try await transcodeStream($0.request)) },
        ]
    }

    // MARK: - Audio

    /// The original, or MP3 with a lower bit rate where the original exceeds `maxBitRate`.
    private func stream(_ request: SubsonicRequest) async throws -> HTTPResponse {
        let track = try await tracks.track(try request.trackID())
        let seconds = Double(try request.integer("timeOffset") ?? 0)
        let wanted = try Self.quality(of: track, for: request) ?? .original
        let isFromMiddle = seconds > 0 && !track.canStartAnywhere
        let quality = isFromMiddle && wanted == .original ? .high : wanted
        guard quality != .original else { return try Self.original(track, from: seconds) }
        return try await audio(track, quality, from: seconds)
    }

    private static func original(_ track: StreamedTrack, from seconds: Double) throws -> HTTPResponse {
        let part = seconds > 0 ? track.part(fromTime: seconds) : (frame: 0, prefix: [], offset: 0)
        return try response(
            track.file, part, state: track.fileTag.value, type: track.original.format.mediaType)
    }

    /// A track as MP3 with a lower bit rate, from the frame that plays at a time.
    func audio(
        _ track: StreamedTrack, _ quality: StreamQuality, from seconds: Double
    ) async throws -> HTTPResponse {
        let rendition = try await renditions.rendition(of: track, quality)
        let frame = seconds > 0 ? rendition.index.frame(atTime: seconds) : 0
        return try Self.response(
            rendition.file, frame.map { ($0, [], $0 > 0 ? rendition.index[$0].offset : 0) },
            state: "\(rendition.file.entityTag.value)-\(quality.rawValue)", type: AudioFormat.mp3.mediaType)
    }

    /// Which quality to send instead of the original; nil for the original.
    private static func quality(
        of track: StreamedTrack, for request: SubsonicRequest
    ) throws -> StreamQuality? {
        let format = request.text("format")
        guard format != "raw" else { return nil }
        let limit = try request.integer("maxBitRate") ?? 0
        let wantsMP3 = track.isConverted && format == AudioFormat.mp3.rawValue
        guard wantsMP3 || exceeds(track, limit) else { return nil }
        return Rendition.best(of: track, kilobits: limit > 0 ? limit : .max)
    }

    /// Whether a track's bit rate is above a limit in kilobits per second; 0 means no limit.
    private static func exceeds(_ track: StreamedTrack, _ limit: Int) -> Bool {
        limit > 0 && track.original.averageBitRate / 1000 > limit
    }

    /// A file from one of its frames on.
    /// - Parameters:
    ///   - part: the frame, what its decoder needs before it, and its offset; nil for a time beyond the end.
    ///   - state: identifies the file's content.
    private static func response(
        _ file: HTTPFile, _ part: (frame: Int, prefix: [UInt8], offset: Int)?, state: String, type: String
    ) throws -> HTTPResponse {
        guard let part else {
            throw SubsonicError(.generic, "\"timeOffset\" is beyond the end of the song.")
        }
        let cut = part.frame > 0 ? "-\(part.frame)" : ""
        return HTTPResponse(
            fields: [
                .contentType: type, .cacheControl: "no-cache",
                .entityTag: EntityTag(state + cut).description,
                .lastModified: file.modificationDate.description,
            ], body: .file(try FileRegion(file, offset: part.offset, prefix: part.prefix)), allowsRanges: true
        )
    }

    private func download(_ request: SubsonicRequest) async throws -> HTTPResponse {
        let track = try await tracks.track(try request.trackID())
        let kept = try await tracks.keptFile(of: track)
        var response = try Self.response(
            kept.file, (frame: 0, prefix: [], offset: 0), state: kept.tag.value,
            type: track.original.format.mediaType)
        let allowed = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\0"..."\u{7F}"))
        let name =
            track.fileName.addingPercentEncoding(withAllowedCharacters: allowed)
            ?? "song\(track.original.format.fileExtension)"
        // RFC 6266 and RFC 8187.
        response.fields[.contentDisposition] = "attachment; filename*=UTF-8''\(name)"
        return response
    }

    /// Refers to the host's own playlist of the song, with a token, since players send no parameters with segments.
    private func hls(_ call: SubsonicCall) async throws -> HTTPResponse {
        let request = call.request
        let track = try await tracks.track(try request.trackID())
        let rates = request.texts("bitRate").compactMap { text in
            Int(text.prefix { $0 != "@" })
        }
        var quality = ""
        if let highest = rates.max(), Self.exceeds(track, highest) {
            quality = Rendition.best(of: track, kilobits: highest)?.query ?? ""
        }
        let expires = Int(SubsonicClock.now + StreamToken.longestLifetime)
        let token = StreamToken(
            subject: .track(track.id), expires: expires, credential: call.appPassword.tokenID
        ).signed(
            by: secrets.value.tokenSecret)
        let playlist = "\(Routes.path(Routes.mediaPlaylist, track.id))?token=\(token)\(quality)"
        // Unlike 307, this turns a POST into the GET that the playlist needs.
        return HTTPResponse(.found, fields: [.location: playlist])
    }

    // MARK: - Covers

    private func cover(_ call: SubsonicCall) async throws -> HTTPResponse {
        let request = call.request
        let sources = try sources(of: try request.id(), visibleTo: call.account.id)
        guard !sources.isEmpty else { throw SubsonicError.noSuch("cover", try request.require("id")) }
        let size = try request.integer("size").flatMap { $0 > 0 ? $0 : nil }.map {
            min(max($0, CoverSize.range.lowerBound), CoverSize.range.upperBound)
        }
        do {
            return try await covers.answer(
                HTTPRequest(
                    request.http.method, size.map { "/?size=\($0)" } ?? "/", fields: request.http.fields),
                sources)
        } catch let error as HTTPError where error.code == "no_cover" {
            return try Self.placeholder(size)
        }
    }

    /// A picture for what has no cover. Whether it has one is only known once the folder is read, so every item names one;
    /// apps do not expect an error then.
    private static func placeholder(_ size: Int?) throws -> HTTPResponse {
        let side = CoverSize.step(for: size ?? standardSide) ?? standardSide
        return HTTPResponse(
            fields: [
                .contentType: PictureFormat.png.mediaType, .cacheControl: "private, no-cache",
                .xContentTypeOptions: "nosniff",
            ], body: .bytes(try PlaceholderCover.png(side: side)))
    }

    /// The files in which a cover may be: those of an artist's first albums and a playlist's first songs, too.
    private func sources(of id: ItemID, visibleTo accountID: Int) throws -> [CoverSource] {
        let limit = CoverRoutes.albumSources
        return try library.catalogue { catalogue in
            switch id {
            case .track(let number): return try catalogue.coverSource(trackID: number).map { [$0] } ?? []
            case .album(let number): return try catalogue.coverSources(albumID: number, limit: limit)
            case .artist(let number):
                let albums = try catalogue.artist(id: number)?.albums ?? []
                return try albums.prefix(limit).flatMap {
                    try catalogue.coverSources(albumID: $0.id, limit: 1)
                }
            case .playlist(let number):
                guard try catalogue.isPlaylist(number, visibleTo: accountID) else { return [] }
                return try catalogue.trackIDs(playlistID: number).prefix(limit).compactMap {
                    try catalogue.coverSource(trackID: $0)
                }
            case .station, .folder: return []
            }
        }
    }
}
