import Tagging
import Testing

@testable import AcoustID

@Suite("Tags proposed by AcoustID")
struct TagProposalTests {
    private func recording(
        _ title: String, _ artist: String, score: Double = 0.95, releases: [String] = []
    ) -> AcoustIDRecording {
        AcoustIDRecording(
            id: title + artist, score: score, title: title, artist: artist,
            releases: releases.map { .init(id: $0, title: $0) })
    }

    private func tags(_ title: String?, _ artist: String?, album: String? = nil) -> TrackTags {
        var tags = TrackTags()
        tags.title = title
        tags.artist = artist
        tags.album = album
        return tags
    }

    @Test("A track without tags gets title, artist and the first album")
    func untagged() {
        let found = recording("Song", "Band", releases: ["First", "Second"])
        var edit = TagEdit()
        edit.title = .set("Song")
        edit.artist = .set("Band")
        edit.album = .set("First")
        #expect(
            TagProposal([found], for: tags(nil, nil)) == .recording(found, release: found.releases[0], edit))
    }

    @Test("Texts that differ in case and accents only are kept, and so is an album")
    func kept() {
        let found = recording("Déjà Vu", "Beyoncé", releases: ["B'Day", "Hits"])
        #expect(
            TagProposal([found], for: tags("deja vu", "BEYONCE", album: "hits"))
                == .recording(found, release: found.releases[1], TagEdit()))
        #expect(
            TagProposal([found], for: tags("Déjà Vu", "Beyoncé", album: "Mine"))
                == .recording(found, release: nil, TagEdit()))
    }

    @Test("Of equally similar recordings, the one of the tags is taken; without one, none")
    func several() {
        let both = [recording("Song", "Band"), recording("Song", "Cover Band", score: 0.94)]
        guard case .recording(let chosen, _, let edit) = TagProposal(both, for: tags("Song", "cover band"))
        else {
            Issue.record("no recording chosen")
            return
        }
        #expect(chosen == both[1] && edit.isEmpty)
        #expect(TagProposal(both, for: tags("Other", nil)) == .ambiguous(both))
        // A clear lead decides.
        let ahead = [both[0], recording("Song", "Cover Band", score: 0.85)]
        guard case .recording(let first, _, _) = TagProposal(ahead, for: tags(nil, nil)) else {
            Issue.record("no recording chosen")
            return
        }
        #expect(first == ahead[0])
    }

    @Test("Nothing is proposed for a low score", arguments: [0, 0.5, 0.79])
    func unknown(_ score: Double) {
        #expect(TagProposal([recording("Song", "Band", score: score)], for: tags(nil, nil)) == .unknown)
        #expect(TagProposal([], for: tags(nil, nil)) == .unknown)
    }
}
