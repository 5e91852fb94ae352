import Foundation
import MusicShared
import Testing

@Suite struct PlaylistRequestsTests {
    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test(arguments: [
        (PlaylistPatch(), "{}"), (PlaylistPatch(name: "n"), "{\"name\":\"n\"}"),
        (PlaylistPatch(description: .some(nil)), "{\"description\":null}"),
        (PlaylistPatch(name: "n", description: "d"), "{\"description\":\"d\",\"name\":\"n\"}"),
    ])
    func aPatchTellsNothingFromNull(patch: PlaylistPatch, text: String) throws {
        #expect(try json(patch) == text)
        #expect(try JSONDecoder().decode(PlaylistPatch.self, from: Data(text.utf8)) == patch)
    }

    @Test func contents() throws {
        #expect(try json(NewPlaylist(name: "n", trackIDs: [1])) == "{\"name\":\"n\",\"track_ids\":[1]}")
        #expect(try json(PlaylistTracks(trackIDs: [2, 1])) == "{\"track_ids\":[2,1]}")
        #expect(
            try json(PlaylistAddition(trackIDs: [1], position: 0)) == "{\"position\":0,\"track_ids\":[1]}")
        #expect(try json(PlaylistMove(position: 3)) == "{\"position\":3}")
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(PlaylistPatch.self, from: Data("{\"name\":null}".utf8))
        }
    }

    @Test(arguments: [
        (Routes.playlistEntry, "/api/playlists/7/entries/:position"), (Routes.trackCover, "/tracks/7/cover"),
        (Routes.mediaPlaylist, "/tracks/7/stream.m3u8"), (Routes.tracks, "/api/tracks"),
    ])
    func aPathFillsTheFirstPlaceholder(pattern: String, expected: String) {
        #expect(Routes.path(pattern, 7) == expected)
    }
}
