import Scrobbling
import Testing

@Suite("Plays for other services")
struct ListenTests {
    private func listen(_ seconds: Double?) -> Listen {
        var listen = Listen(artist: "A", title: "T", listenedAt: 0)
        listen.durationSeconds = seconds
        return listen
    }

    @Test("A play counts after half of the track or four minutes")
    func rule() {
        #expect(listen(200).isLongEnough(secondsPlayed: 100))
        #expect(!listen(200).isLongEnough(secondsPlayed: 98))
        #expect(listen(3600).isLongEnough(secondsPlayed: 240))
        #expect(!listen(3600).isLongEnough(secondsPlayed: 238))
        #expect(listen(nil).isLongEnough(secondsPlayed: 1))
        #expect(listen(200).isLongEnough(secondsPlayed: nil))
    }

    @Test("Identifiers of another form are recognised")
    func identifiers() {
        #expect(Listen.isMusicBrainzID("189002e7-3285-4e2e-92a3-7f6c30d407a2"))
        #expect(!Listen.isMusicBrainzID("189002e7-3285-4e2e-92a3"))
        #expect(Listen.isrc(from: "us-sm1-83-00073") == "USSM18300073")
        #expect(Listen.isrc(from: "USSM1830007") == nil)
    }
}
