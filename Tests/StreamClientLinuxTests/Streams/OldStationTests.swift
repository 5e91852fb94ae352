import ClientTestSupport
import MusicShared
import StreamClient
import StreamClientLinux
import TestSupport
import Testing

/// Stations over real sockets.
@Suite("Old stations", .timeLimit(.minutes(30)))
struct OldStationTests {
    @Test("An old station that responds with ICY 200 OK instead of HTTP")
    func oldKind() async throws {
        let sound = try await LongRecording.short.value
        let bytes = StationBytes.interleave(sound, 4096, titles: [0: "StreamTitle='An old one';"])
        var resource = FaultyServer.Resource(
            bytes, entityTag: nil, fields: ["icy-name: Old Radio", "icy-metaint: 4096", "icy-br: 128"])
        resource.isStation = true
        let server = try FaultyServer(["/": resource])
        defer { server.end() }
        let engine = PlaybackEngine(sink: NullSink(), transport: CurlTransport(userAgent: "test"))
        let events = engine.events()
        await engine.setVolume(0)
        let address = server.address("/")
        await engine.play([PlayableItem(id: address, location: .address(address), title: address)])
        var title: StationTitle?
        var hasStarted = false
        for await event in events {
            switch event {
            case .titleChanged(let told): title = told
            case .itemStarted: hasStarted = true
            case .stateChanged(.stopped): hasStarted = true
            default: continue
            }
            if hasStarted, title != nil { break }
        }
        let now = await engine.snapshot()
        await engine.shutDown()
        #expect(now.state == .playing)
        #expect(title == StationTitle(text: "An old one"))
        #expect(now.facts.station?.name == "Old Radio" && now.facts.isLive)
        #expect(server.requests.first?.fields["icy-metadata"] == "1")
    }
}
