import ConsoleProgram
import Foundation
import MusicShared
import StreamClient

/// Finds out what the words of the command line mean.
struct PlayedItems {
    /// What is to be played, in order.
    let items: [PlayableItem]
    /// The host whose tracks are among it, if any are.
    let host: PlayedHost?

    /// - Throws: `UsageError` for what is nothing; `ClientError` where the host does not tell.
    init(_ words: [String], _ options: PlayOptions) async throws {
        let ofHost = words.map { HostTracks.areMeant(by: $0) && !FileManager.default.fileExists(atPath: $0) }
        let isHostsOwn = try words.map { try Self.known($0, options) }
        host = ofHost.contains(true) ? try await PlayedHost(options) : nil
        var items: [PlayableItem] = []
        for (place, word) in words.enumerated() {
            if ofHost[place], let host {
                items += try await Self.tracks(word, host)
            } else {
                items.append(try Self.item(word, fields: isHostsOwn[place]))
            }
        }
        self.items = items
    }

    private static func tracks(_ word: String, _ host: PlayedHost) async throws -> [PlayableItem] {
        let tracks = try await HostTracks.named(word, in: host.library)
        return tracks.filter { $0.isAvailable || tracks.count == 1 }.map {
            PlayableItem($0, of: host.connection)
        }
    }

    private static func item(_ word: String, fields: TransportFields) throws -> PlayableItem {
        if isAddress(word) {
            return PlayableItem(id: word, location: .address(word, fields: fields), title: word)
        }
        guard FileManager.default.fileExists(atPath: word) else {
            throw UsageError(
                message: "\(word) is no file, no address, and no track:, album: or playlist: of a host")
        }
        return PlayableItem(file: word)
    }

    private static func isAddress(_ word: String) -> Bool {
        word.hasPrefix("http://") || word.hasPrefix("https://")
    }

    /// What a request for an address needs: the key, where it is an address of the host that is meant.
    private static func known(_ word: String, _ options: PlayOptions) throws -> TransportFields {
        guard isAddress(word) else { return [:] }
        let host = try options.folder.host(options.host)
        let addresses =
            (host?.addresses ?? []) + (options.host.flatMap { HostAddress($0) }.map { [$0] } ?? [])
        guard addresses.contains(where: { word.hasPrefix("\($0)/") }), let key = options.key ?? host?.key
        else {
            return [:]
        }
        return ["authorization": "Bearer \(key)"]
    }
}
