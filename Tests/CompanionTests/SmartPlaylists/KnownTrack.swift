import Analyzer
import Foundation
import LibraryStore
import MusicShared
import MusicalStructure
import Tagging
import TestSupport
import Testing

/// A track whose values are known, and which rules it matches: evaluated one by one, without SQL.
struct KnownTrack {
    /// A value of a field; nil if it is missing.
    enum Value {
        case text(String?)
        case number(Double?)
        case flag(Bool)
        /// Seconds since 1970.
        case time(Double?)
    }

    var id = 0
    var path: String
    var fields: [String: Value] = [:]

    static let words = [
        "River", "river", "Ríver", "100%", "a_b", "axb", "Night Boat", "NIGHT", "\\back", "7",
    ]
    static let genres: [String?] = [nil, "Rock", "rock", "Jazz", "Hip-Hop", ""]
    static let now = 1_750_000_000.0

    /// Makes up a track with its record.
    static func random(
        _ number: Int, _ random: inout SeededGenerator
    ) throws -> (track: KnownTrack, record: TrackRecord) {
        var tags = Sample.tags(
            words.randomElement(using: &random), album: words.randomElement(using: &random))
        tags.genre = genres.randomElement(using: &random) ?? nil
        tags.year = Bool.random(using: &random) ? Int.random(in: 1990...1996, using: &random) : nil
        tags.isCompilation = Bool.random(using: &random)
        var profile = Sample.profile()
        let hasTempo = Int.random(in: 0..<4, using: &random) > 0
        if hasTempo {
            profile.tempo?.bpm = Double(Int.random(in: 600...1200, using: &random)) / 10
            profile.key = MusicalKey(
                tonic: Int.random(in: 0..<12, using: &random),
                mode: Bool.random(using: &random) ? .major : .minor,
                confidence: 0.5)
        } else {
            profile.tempo = nil
            profile.key = nil
        }
        profile.loudness.integratedLUFS = Double(Int.random(in: -200 ... -50, using: &random)) / 10
        var analysis = Sample.analysis(number, profile: profile)
        analysis.stream.durationSeconds = Double(Int.random(in: 60...400, using: &random)) + 0.25
        let path = "folder \(number % 3)/\(number).mp3"
        var track = KnownTrack(path: path)
        track.fields = [
            "title": .text(tags.title), "album": .text(tags.album), "genre": .text(tags.genre),
            "year": .number(tags.year.map(Double.init)), "compilation": .flag(tags.isCompilation),
            "bpm": .number(profile.tempo?.bpm), "key": .text(profile.key?.name),
            "loudness": .number(profile.loudness.integratedLUFS),
            "duration": .number(analysis.stream.durationSeconds), "filePath": .text(path),
            "loved": .flag(false), "rating": .number(0), "playCount": .number(0), "lastPlayed": .time(nil),
        ]
        return (track, try Sample.record(path, hash: number, tags: tags, analysis: analysis))
    }

    /// Makes up what an account did with the track.
    mutating func listen(_ random: inout SeededGenerator) -> [ListeningAction] {
        var actions: [ListeningAction] = []
        func add(_ kind: ListeningAction.Kind, at: Double, rating: Int? = nil) {
            var action = ListeningAction(kind, at: at)
            action.relativePath = path
            action.rating = rating
            actions.append(action)
        }
        if Bool.random(using: &random) {
            add(.star, at: Self.now - 5_000_000)
            fields["loved"] = .flag(true)
        }
        if Bool.random(using: &random) {
            let rating = Int.random(in: 1...5, using: &random)
            add(.rate, at: Self.now - 4_000_000, rating: rating)
            fields["rating"] = .number(Double(rating))
        }
        let plays = Int.random(in: 0..<4, using: &random)
        let last = Self.now - Double(Int.random(in: 0..<60, using: &random)) * 43_200
        for number in 0..<plays { add(.play, at: last - Double(number) * 1000) }
        fields["playCount"] = .number(Double(plays))
        if plays > 0 { fields["lastPlayed"] = .time(last) }
        return actions
    }

    /// Whether the track matches a rule.
    func matches(_ rule: SmartRule) throws -> Bool {
        switch rule {
        case .all(let rules): return try rules.allSatisfy(matches)
        case .any(let rules): return try rules.contains(where: matches)
        case .condition(let comparison, let name, let operand):
            let negative: [SmartRule.Operator: SmartRule.Operator] = [
                .isNot: .is, .notContains: .contains, .notInTheLast: .inTheLast, .isPresent: .isMissing,
            ]
            if let positive = negative[comparison] {
                return try !matches(.condition(positive, field: name, value: operand))
            }
            if comparison == .isMissing, operand == .flag(false) {
                return try !matches(.condition(.isMissing, field: name, value: .flag(true)))
            }
            switch try #require(fields[name]) {
            case .text(let text): return Self.compare(text, comparison, operand)
            case .number(let number): return Self.compare(number, comparison, operand)
            case .flag(let flag): return operand == .flag(flag)
            case .time(let time): return try Self.compare(time: time, comparison, operand)
            }
        }
    }

    /// Lower case, for Latin letters without accents only.
    static func folded(_ text: String) -> [UInt8] {
        text.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }
    }

    private static func compare(
        _ text: String?, _ comparison: SmartRule.Operator, _ operand: SmartRule.Value
    ) -> Bool {
        let text = text == "" ? nil : text
        if comparison == .isMissing { return text == nil }
        guard let text, case .text(let wanted) = operand else { return false }
        let (whole, part) = (folded(text), folded(wanted))
        switch comparison {
        case .is: return whole == part
        case .startsWith: return whole.starts(with: part)
        case .endsWith: return whole.reversed().starts(with: part.reversed())
        case .contains: return !whole.isEmpty && whole.indices.contains { whole[$0...].starts(with: part) }
        default: return false
        }
    }

    private static func compare(
        _ number: Double?, _ comparison: SmartRule.Operator, _ operand: SmartRule.Value
    ) -> Bool {
        if comparison == .isMissing { return number == nil }
        guard let number else { return false }
        switch (comparison, operand) {
        case (.is, .number(let wanted)): return number == wanted
        case (.gt, .number(let wanted)): return number > wanted
        case (.lt, .number(let wanted)): return number < wanted
        case (.inTheRange, .list(let bounds)):
            guard case (.number(let low), .number(let high)) = (bounds[0], bounds[1]) else { return false }
            return low <= number && number <= high
        default: return false
        }
    }

    private static func compare(
        time: Double?, _ comparison: SmartRule.Operator, _ operand: SmartRule.Value
    ) throws -> Bool {
        if comparison == .isMissing { return time == nil }
        guard let time else { return false }
        func start(_ value: SmartRule.Value) throws -> Double {
            guard case .text(let text) = value else { return .nan }
            return try Date("\(text)T00:00:00Z", strategy: .iso8601).timeIntervalSince1970
        }
        switch (comparison, operand) {
        case (.is, _): return try start(operand) <= time && time < start(operand) + 86_400
        case (.before, _): return try time < start(operand)
        case (.after, _): return try time >= start(operand)
        case (.inTheRange, .list(let days)):
            return try start(days[0]) <= time && time < start(days[1]) + 86_400
        case (.inTheLast, .number(let days)):
            return time >= (now / 86_400).rounded(.down) * 86_400 - days * 86_400
        default: return false
        }
    }
}
