/// The tag formats in a file.
package struct TagKinds: OptionSet, Sendable, Hashable {
    /// The option bits.
    package let rawValue: Int

    /// Creates a set from its bits.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// ID3v2.2, 2.3 or 2.4 at the start.
    package static let id3v2 = TagKinds(rawValue: 1)
    /// APE 1 or 2 at the end.
    package static let ape = TagKinds(rawValue: 2)
    /// ID3v1 or 1.1 at the very end.
    package static let id3v1 = TagKinds(rawValue: 4)
    /// Vorbis comments in the headers of a FLAC or Ogg file.
    package static let vorbis = TagKinds(rawValue: 8)
    /// The texts of RIFF INFO in a WAV file, or those of an AIFF file.
    package static let info = TagKinds(rawValue: 16)
    /// The items of iTunes in an MP4 file.
    package static let mp4 = TagKinds(rawValue: 32)

    /// Whether all values come from the tag that edits write to, so that a value that is right needs no edit: in MP4 files the
    /// items, in FLAC and Ogg files the Vorbis comments alone; in other files ID3v2, but an APE tag or texts of RIFF INFO may have
    /// the values that ID3v2 lacks.
    package var holdsWrittenTagOnly: Bool {
        if contains(.mp4) { return true }
        return contains(.vorbis) ? self == .vorbis : contains(.id3v2) && !contains(.ape) && !contains(.info)
    }

    /// The names of the formats, in the order in which they are trusted.
    package var names: [String] { Self.all.filter { contains($0.kind) }.map(\.name) }
    /// The names of all formats.
    package static let allNames = all.map(\.name)

    private static let all: [(kind: TagKinds, name: String)] = [
        (.mp4, "MP4"), (.vorbis, "Vorbis"), (.id3v2, "ID3v2"), (.info, "INFO"), (.ape, "APE"),
        (.id3v1, "ID3v1"),
    ]
}
