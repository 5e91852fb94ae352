import CommandLineProgram
import Foundation
import MusicShared
import StreamClient

/// Resolves the arguments of the command line to items.
struct PlayedItems {
    /// The items to play, in order.
    let items: [PlayableItem]
    /// The host of the items, if any belong to one.
    let host: PlayedHost?
    /// The radio that continues the items; nil without one.
    let radio: RadioFeed?

    /// - Throws: `UsageError` for an invalid argument; `ClientError` if the host cannot be reached.
    init(_ words: [String], _ options: PlayOptions) async throws {
        let ofHost = words.map { HostTracks.areMeant(by: $0) && !FileManager.default.fileExists(atPath: $0) }
        let isHostsOwn = try words.map { try Self.known($0, options) }
        host = ofHost.contains(true) ? try await PlayedHost(options) : nil
        var items: [PlayableItem] = []
        var radio: RadioFeed?
        for (place, word) in words.enumerated() {
            if ofHost[place], let host, let track = HostTracks.radioTrack(word) {
                guard place == words.count - 1 else {
                    throw UsageError(message: "'\(word)' never ends: give it last")
                }
                radio = try await RadioFeed(fromTrack: track, of: host.connection)
                items += radio?.items ?? []
            } else if ofHost[place], let host {
                items += try await Self.tracks(word, host)
            } else {
                items.append(try Self.item(word, fields: isHostsOwn[place]))
            }
        }
        self.items = items
        self.radio = radio
    }

    private static func tracks(_ word: String, _ host: PlayedHost) async throws -> [PlayableItem] {
        let tracks = try await HostTracks.named(word, in: host.library)
        return tracks.filter { $0.isAvailable || tracks.count == 1 }.map {
            PlayableItem($0, of: host.connection)
        }
    }

    private static func item(_ word: String, fields: TransportFields) throws -> PlayableItem {
        if isAddress(word) {
            return PlayableItem(
                id: word, location: .address(word, fields: fields), title: AddressMask.masked(word))
        }
        guard FileManager.default.fileExists(atPath: word) else {
            throw UsageError(
                message: "'\(word)' is not a file, a URL, or a track:ID, album:ID, playlist:ID or radio:TRACK"
            )
        }
        return PlayableItem(file: word)
    }

    private static func isAddress(_ word: String) -> Bool {
        word.hasPrefix("http://") || word.hasPrefix("https://")
    }

    /// Returns the header fields for a URL: the API key if it is a URL of the selected host.
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
