import Foundation
import Testing

@testable import MusicShared

@Suite("HLS playlists")
struct HLSManifestGeneratorTests {
    private func segments(_ counts: [Int], rate: Int = 44_100) -> [HLSSegment] {
        counts.enumerated().map { HLSSegment(uri: "segments/\($0).mp3", sampleCount: $1, sampleRate: rate) }
    }

    private func durations(_ playlist: String) -> [Decimal] {
        playlist.split(separator: "\n").filter { $0.hasPrefix("#EXTINF:") }
            .compactMap { Decimal(string: String($0.dropFirst(8).dropLast())) }
    }

    @Test("The exact playlist of a short track")
    func wordForWord() {
        // 229 frames of 1152 samples at 44.1 kHz are 5.982041 s, 12 are 0.313469 s.
        let playlist = HLSManifestGenerator.mediaPlaylist(segments([229 * 1152, 12 * 1152]))
        #expect(
            playlist == """
                #EXTM3U
                #EXT-X-VERSION:3
                #EXT-X-TARGETDURATION:6
                #EXT-X-MEDIA-SEQUENCE:0
                #EXT-X-PLAYLIST-TYPE:VOD
                #EXTINF:5.982041,
                segments/0.mp3
                #EXTINF:0.313469,
                segments/1.mp3
                #EXT-X-ENDLIST

                """)
    }

    @Test(
        "Durations add up to the track's for any segment count", arguments: [44_100, 48_000, 22_050, 11_025])
    func sumIsExact(rate: Int) {
        let counts = [Int](repeating: 229 * 1152, count: 5000) + [7 * 1152]
        let listed = durations(HLSManifestGenerator.mediaPlaylist(segments(counts, rate: rate)))
        #expect(listed.count == 5001)
        let exact = Double(counts.reduce(0, +)) / Double(rate)
        #expect(abs(NSDecimalNumber(decimal: listed.reduce(0, +)).doubleValue - exact) <= 0.5e-6 + 1e-9)
        for (duration, count) in zip(listed, counts) {
            #expect(
                abs(NSDecimalNumber(decimal: duration).doubleValue - Double(count) / Double(rate))
                    <= 1.000001e-6)
        }
    }

    @Test(
        "The target duration is the longest duration, rounded",
        arguments: [(0.2, 1), (5.4, 5), (5.5, 6), (6.4, 6), (7.6, 8)])
    func targetDuration(seconds: Double, expected: Int) {
        let count = Int(seconds * 48_000)
        let playlist = HLSManifestGenerator.mediaPlaylist(segments([count, 1000], rate: 48_000))
        #expect(playlist.contains("#EXT-X-TARGETDURATION:\(expected)\n"))
    }

    @Test("Byte ranges require version 4")
    func byteRanges() {
        var parts = segments([1152, 1152])
        parts[0].byteRange = 417..<834
        let playlist = HLSManifestGenerator.mediaPlaylist(parts)
        #expect(playlist.contains("#EXT-X-VERSION:4\n"))
        #expect(playlist.contains("#EXT-X-BYTERANGE:417@417\nsegments/0.mp3"))
    }

    @Test("A change of rate is a discontinuity, and the clock continues")
    func discontinuity() {
        var parts = segments([44_100]) + segments([22_050, 22_050], rate: 22_050)
        parts[1].isDiscontinuity = true
        let playlist = HLSManifestGenerator.mediaPlaylist(parts)
        #expect(playlist.contains("#EXT-X-DISCONTINUITY\n#EXTINF:1.000000,\nsegments/0.mp3"))
        #expect(durations(playlist).reduce(0, +) == 3)
    }

    @Test("A master playlist contains codec, rates and metadata, with values quoted safely")
    func master() {
        let playlist = HLSManifestGenerator.masterPlaylist(
            variants: [.init(uri: "stream.m3u8", bandwidth: 131_000, averageBandwidth: 129_500)],
            sessionData: [.init(id: "org.example.title", value: "a \"b\"\n#EXT-X-ENDLIST")])
        #expect(
            playlist.contains(
                "#EXT-X-STREAM-INF:BANDWIDTH=131000,AVERAGE-BANDWIDTH=129500,CODECS=\"mp4a.40.34\"\n"))
        #expect(playlist.contains("VALUE=\"a ”b” #EXT-X-ENDLIST\""))
        #expect(playlist.split(separator: "\n").filter { $0.hasPrefix("#EXT-X-ENDLIST") }.isEmpty)
    }
}
