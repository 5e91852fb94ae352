import Analyzer
import Companion
import Foundation
import LibraryStore
import MusicShared
import MusicalStructure
import Testing

/// Tests the facts about a track from which transitions are planned.
@Suite("Track of a transition")
struct CrossfadeTrackTests {
    /// Converts a track in A minor with sections.
    private func facts(_ sections: [KeySection]?) throws -> CrossfadeTrack {
        var profile = Sample.profile()
        profile.keySections = sections
        let record = try Sample.record("a.mp3", analysis: Sample.analysis(profile: profile))
        let data = try TemporaryData()
        let library = try LibraryStore(data.folder)
        let ids = try library.record([record], now: Date(), isPresent: Sample.present)
        let track = try #require(try library.track(id: ids[0]))
        return try #require(CrossfadeTrack(track))
    }

    @Test("The keys at both ends are those of certain sections, else that of the track")
    func keysAtBothEnds() throws {
        let section = { (seconds: Double, tonic: Int, confidence: Double) in
            KeySection(
                seconds: seconds, key: MusicalKey(tonic: tonic, mode: .minor, confidence: confidence))
        }
        let whole = CamelotKey("8A")
        for sections in [nil, [], [section(0, 9, 0.9)], [section(0, 11, 0.5), section(60, 2, 0.7)]] {
            let facts = try facts(sections)
            #expect(facts.startKey == whole && facts.endKey == whole)
        }
        // From A minor to B minor.
        let risen = try facts([section(0, 9, 0.9), section(61.25, 11, 0.85)])
        #expect(risen.startKey == whole && risen.endKey == CamelotKey("10A"))
    }
}
