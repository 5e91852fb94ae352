/// The values of changed fields before an edit, to restore them.
///
/// Values are those of ``TrackTags`` and of the cover. What these do not show is not restored: the day of a date, white space around
/// texts, further comments, the tag format. Changes of lyrics are not included.
package struct FormerTags: Sendable, Hashable {
    /// A value of a field.
    package enum Value: Sendable, Hashable, Codable {
        /// The field was absent.
        case none
        case text(String)
        case number(Double)
        case flag(Bool)

        package init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .none
            } else if let flag = try? container.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else {
                self = .text(try container.decode(String.self))
            }
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .none: try container.encodeNil()
            case .text(let text): try container.encode(text)
            case .number(let number): try container.encode(number)
            case .flag(let flag): try container.encode(flag)
            }
        }
    }

    /// The former values of the changed fields, by ``TagField`` raw value, without the cover.
    package var values: [String: Value] = [:]
    /// How to restore the cover; it is left if it was not changed.
    package var cover = TagChange<EmbeddedCover>.leave

    /// Creates a record of an edit that changed nothing.
    package init() {}

    /// Compares the state of a file before and after an edit.
    package init(before: TagState, after: TagState) {
        let old = Self.values(of: before.tags)
        let new = Self.values(of: after.tags)
        values = old.filter { $0.value != new[$0.key] }
        if before.cover != after.cover { cover = before.cover.map { .set($0) } ?? .remove }
        leaveOutInvalid()
    }

    /// Leaves out what an edit cannot write, such as control characters or a cover that is neither JPEG nor PNG.
    private mutating func leaveOutInvalid() {
        for _ in TagField.allCases {
            do throws(TaggingError) {
                _ = try edit.checked()
                return
            } catch {
                if error.field == .cover { cover = .leave }
                if let field = error.field { values[field.rawValue] = nil }
            }
        }
    }

    /// Whether the edit changed nothing that can be restored.
    package var isEmpty: Bool { self == FormerTags() }

    /// Names of the changed fields, in the order of ``TagField``.
    package var fields: [String] {
        TagField.allCases.filter { values[$0.rawValue] != nil || $0 == .cover && !cover.isLeft }.map(
            \.rawValue)
    }

    /// The edit that restores the values.
    package var edit: TagEdit {
        var edit = TagEdit()
        edit.title = text(.title)
        edit.artist = text(.artist)
        edit.album = text(.album)
        edit.albumArtist = text(.albumArtist)
        edit.genre = text(.genre)
        edit.comment = text(.comment)
        edit.composer = text(.composer)
        edit.initialKey = text(.initialKey)
        edit.trackNumber = whole(.trackNumber)
        edit.trackTotal = whole(.trackTotal)
        edit.discNumber = whole(.discNumber)
        edit.discTotal = whole(.discTotal)
        edit.year = whole(.year)
        edit.bpm = whole(.bpm)
        edit.isCompilation = change(.isCompilation) { if case .flag(let flag) = $0 { flag } else { nil } }
        edit.replayGain.trackGain = number(.replayGainTrackGain) { ReplayGainEdit.Gain(dB: $0) }
        edit.replayGain.trackPeak = number(.replayGainTrackPeak) { ReplayGainEdit.Peak($0) }
        edit.replayGain.albumGain = number(.replayGainAlbumGain) { ReplayGainEdit.Gain(dB: $0) }
        edit.replayGain.albumPeak = number(.replayGainAlbumPeak) { ReplayGainEdit.Peak($0) }
        edit.cover = cover
        return edit
    }

    private func change<New>(_ field: TagField, _ convert: (Value) -> New?) -> TagChange<New> {
        guard let value = values[field.rawValue] else { return .leave }
        return convert(value).map { .set($0) } ?? .remove
    }

    private func text(_ field: TagField) -> TagChange<String> {
        change(field) { if case .text(let text) = $0 { text } else { nil } }
    }

    private func number<New>(_ field: TagField, _ convert: (Double) -> New?) -> TagChange<New> {
        change(field) { if case .number(let number) = $0 { convert(number) } else { nil } }
    }

    private func whole(_ field: TagField) -> TagChange<Int> {
        number(field) { Int(exactly: $0.rounded()) }
    }

    /// The values of all fields but cover and lyrics.
    private static func values(of tags: TrackTags) -> [String: Value] {
        func text(_ text: String?) -> Value { text.map { .text($0) } ?? .none }
        func number(_ number: Double?) -> Value { number.map { .number($0) } ?? .none }
        func whole(_ number: Int?) -> Value { number.map { .number(Double($0)) } ?? .none }
        let values: [TagField: Value] = [
            .title: text(tags.title), .artist: text(tags.artist), .album: text(tags.album),
            .albumArtist: text(tags.albumArtist), .genre: text(tags.genre), .comment: text(tags.comment),
            .composer: text(tags.composer), .initialKey: text(tags.initialKey),
            .trackNumber: whole(tags.track.number), .trackTotal: whole(tags.track.total),
            .discNumber: whole(tags.disc.number), .discTotal: whole(tags.disc.total),
            .year: whole(tags.year), .bpm: number(tags.bpm), .isCompilation: .flag(tags.isCompilation),
            .replayGainTrackGain: number(tags.replayGain.trackGainDB),
            .replayGainTrackPeak: number(tags.replayGain.trackPeak),
            .replayGainAlbumGain: number(tags.replayGain.albumGainDB),
            .replayGainAlbumPeak: number(tags.replayGain.albumPeak),
        ]
        return Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) })
    }
}
