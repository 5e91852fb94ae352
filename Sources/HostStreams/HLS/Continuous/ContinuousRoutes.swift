internal import APIDescription
internal import Catalogue
package import HostAccounts
package import HTTPServer
package import LibraryStore
internal import MusicShared

/// Serves an album or a playlist as one HLS playlist of all its tracks, for players that support neither.
package struct ContinuousRoutes: DescribedRoutes {
    let library: LibraryStore
    let secrets: CurrentSecrets

    /// Memberwise initializer.
    package init(library: LibraryStore, secrets: CurrentSecrets) {
        self.library = library
        self.secrets = secrets
    }

    package func add(to routes: some RouteCollection) {
        routes.get(Routes.albumStream) { try album($0) }
        routes.get(Routes.playlistStream) { try playlist($0) }
    }

    private func album(_ request: HTTPRequest) throws -> HTTPResponse {
        let id: Int = try request.parameters.require("album_id")
        let options = try StreamOptions(request.query, loudness: .album)
        let found = try library.catalogue { catalogue in
            (try catalogue.album(id: id)?.tracks?.map(\.id), try catalogue.revision)
        }
        guard let tracks = found.0 else {
            throw APIError.noSuchAlbum("There is no album \(id).", field: "album_id")
        }
        return try response(tracks, options, state: found.1, request)
    }

    private func playlist(_ request: HTTPRequest) throws -> HTTPResponse {
        let id: Int = try request.parameters.require("playlist_id")
        let accountID = try request.caller.accountID
        let options = try StreamOptions(request.query)
        let found = try library.catalogue { catalogue in
            (
                try catalogue.playlist(id: id, limit: 0, offset: 0, visibleTo: accountID)?.trackIDs,
                try catalogue.revision
            )
        }
        guard let tracks = found.0 else {
            throw APIError.noSuchPlaylist("There is no playlist \(id).", field: "playlist_id")
        }
        return try response(tracks, options, state: found.1, request)
    }

    private func response(
        _ tracks: [Int], _ options: StreamOptions, state: String, _ request: HTTPRequest
    ) throws -> HTTPResponse {
        let formats = try library.catalogue { try $0.formats(ofTracks: tracks) }
        guard formats.isSubset(of: [.mp3]) || (options.target == nil && options.fade == nil) else {
            throw HLSRoutes.onlyMP3
        }
        let container = try container(of: tracks, formats)
        var fields: HTTPFields = [.contentType: HLSManifestGenerator.contentType, .cacheControl: "no-cache"]
        // With a token, the segment URLs differ.
        let token = request.query["token"]
        let expires = token.flatMap { StreamToken.expiry(ofValid: $0) }
        let credential = token.flatMap { StreamToken.credential(ofValid: $0) }
        if expires == nil { fields[.entityTag] = EntityTag(state).description }
        let library = library
        let secret = secrets.value.tokenSecret
        return HTTPResponse(
            fields: fields,
            body: .stream(
                ResponseStream { writer in
                    var playlist = ContinuousPlaylist(
                        library: library, options: options, container: container
                    ) { id in
                        expires.map {
                            StreamToken(subject: .track(id), expires: $0, credential: credential)
                                .signed(by: secret)
                        }
                    }
                    try await writer.write(Array(playlist.head.utf8))
                    for id in tracks {
                        try Task.checkCancellation()
                        try await writer.write(Array(try playlist.lines(ofTrack: id).utf8))
                    }
                    try await writer.write(Array(playlist.end.utf8))
                }))
    }

    /// Returns fragmented MP4 if all tracks can be sent in it, since players do not change the container within a stream.
    private func container(of tracks: [Int], _ formats: Set<AudioFormat>) throws -> SegmentContainer {
        guard !formats.isEmpty, formats.isSubset(of: FragmentedFrames.formats) else { return .packedAudio }
        guard formats.contains(.opus) else { return .fragmentedMP4 }
        let heads = try library.catalogue { try $0.frameIndexHeads(ofTracks: tracks, format: .opus) }
        return heads.allSatisfy(FragmentedFrames.canSendOpus) ? .fragmentedMP4 : .packedAudio
    }
}
