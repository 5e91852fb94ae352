import ConsoleProgram
import Foundation
import MusicShared
import StreamClient

/// Finds out what the words of the command line mean.
struct PlayedItems {
    let options: PlayOptions
    let transport: any Transport

    private static let largestAnswer = 64 << 20

    /// What is to be played, in order.
    /// - Throws: `UsageError` for what is nothing; `PlaybackError` where the host does not tell.
    func items(_ words: [String]) async throws -> [PlayableItem] {
        var items: [PlayableItem] = []
        for word in words { items += try await self.items(word) }
        return items
    }

    private func items(_ word: String) async throws -> [PlayableItem] {
        if word.hasPrefix("http://") || word.hasPrefix("https://") {
            let isHost = options.host.map { word.hasPrefix($0 + "/") } ?? false
            return [
                PlayableItem(
                    id: word, location: .address(word, fields: isHost ? options.fields : [:]), title: word)
            ]
        }
        let parts = word.split(separator: ":", maxSplits: 1)
        if parts.count == 2, let id = Int(parts[1]), !FileManager.default.fileExists(atPath: word) {
            return try await hostItems(String(parts[0]), id)
        }
        guard FileManager.default.fileExists(atPath: word) else {
            throw UsageError(
                message: "\(word) is no file, no address, and no track:, album: or playlist: of a host")
        }
        return [PlayableItem(file: word)]
    }

    private func hostItems(_ kind: String, _ id: Int) async throws -> [PlayableItem] {
        switch kind {
        case "track":
            let track: TrackItem = try await ask(Routes.path(Routes.track, id))
            return [try item(track)]
        case "album":
            let album: AlbumItem = try await ask(Routes.path(Routes.album, id))
            return try (album.tracks ?? []).filter(\.isAvailable).map(item)
        case "playlist":
            let playlist: PlaylistItem = try await ask(Routes.path(Routes.playlist, id))
            return try (playlist.entries?.items ?? []).map(\.track).filter(\.isAvailable).map(item)
        default: throw UsageError(message: "\(kind):\(id) is none of track:ID, album:ID, playlist:ID")
        }
    }

    private func item(_ track: TrackItem) throws -> PlayableItem {
        PlayableItem(track, host: try host, fields: options.fields)
    }

    private var host: String {
        get throws {
            guard let host = options.host else {
                throw UsageError(message: "name the host with --host, or in STREAM_PLAYER_HOST")
            }
            return host.hasSuffix("/") ? String(host.dropLast()) : host
        }
    }

    private func ask<Answer: Decodable>(_ path: String) async throws -> Answer {
        let request = TransportRequest(try host + path, fields: options.fields)
        let response = try await transport.fetch(request)
        let bytes = try await response.body.collect(upTo: Self.largestAnswer)
        guard response.status == 200 else {
            throw UsageError(
                message: response.status == 404
                    ? "the host has no \(path)" : "the host refuses (\(response.status)): is the key right?")
        }
        return try JSONDecoder().decode(Answer.self, from: Data(bytes))
    }
}
