internal import MusicalStructure
internal import Analyzer
internal import SQLiteDatabase
internal import MusicShared

/// Declarations of fields by the key path of their value.
extension TrackField {
    /// A value that is not stored among the analyses: a tag, or one that follows from others.
    static func of(
        _ key: String, _ kind: Kind, _ meaning: String, isAlways: Bool = false, label: String? = nil,
        place: Place = .reports, _ value: @escaping @Sendable (AnalysedTrack) -> TrackValue?
    ) -> TrackField {
        TrackField(
            key: key, label: label, kind: kind, meaning: meaning, isAlways: isAlways, place: place,
            value: value)
    }

    /// A value of the stream.
    static func stream<Value: FieldStorable>(
        _ key: String, _ kind: Kind, _ meaning: String, place: Place = .reports,
        _ path: any WritableKeyPath<StreamDescription, Value> & Sendable
    ) -> TrackField {
        measured(
            key, kind, meaning, place: place,
            get: { $0.stream[keyPath: path] }, set: { $0.stream[keyPath: path] = $1 }, isOfProfile: false)
    }

    /// A measurement.
    static func measured<Value: FieldStorable>(
        _ key: String, _ kind: Kind, _ meaning: String, label: String? = nil, place: Place = .reports,
        _ path: any WritableKeyPath<TrackProfile, Value> & Sendable
    ) -> TrackField {
        measured(
            key, kind, meaning, label: label, place: place, get: { $0.profile?[keyPath: path] },
            set: { $0.profile?[keyPath: path] = $1 })
    }

    /// A measurement of a part that not every track has, such as the tempo.
    static func measured<Part, Value: FieldStorable>(
        _ key: String, _ kind: Kind, _ meaning: String, place: Place = .reports,
        _ part: any WritableKeyPath<TrackProfile, Part?> & Sendable,
        _ path: any WritableKeyPath<Part, Value> & Sendable
    ) -> TrackField {
        measured(
            key, kind, meaning, place: place, get: { $0.profile?[keyPath: part]?[keyPath: path] },
            set: { $0.profile?[keyPath: part]?[keyPath: path] = $1 }, isOptional: true)
    }

    /// A value that follows from others, and is stored for queries.
    static func derived(
        _ key: String, _ kind: Kind, _ meaning: String, label: String? = nil,
        _ path: any KeyPath<TrackProfile, Double?> & Sendable
    ) -> TrackField {
        TrackField(
            key: key, label: label, kind: kind, meaning: meaning,
            column: Column(
                isOfProfile: true, stored: { $0.profile?[keyPath: path] }, restore: nil)
        ) { track in
            (track.analysis?.profile?[keyPath: path]).flatMap { $0.trackValue(kind) }
        }
    }

    private static func measured<Value: FieldStorable>(
        _ key: String, _ kind: Kind, _ meaning: String, label: String? = nil, place: Place,
        get: @escaping @Sendable (TrackAnalysis) -> Value?,
        set: @escaping @Sendable (inout TrackAnalysis, Value) -> Void, isOfProfile: Bool = true,
        isOptional: Bool = false
    ) -> TrackField {
        TrackField(
            key: key, label: label, kind: kind, meaning: meaning, place: place,
            column: Column(
                isOfProfile: isOfProfile,
                stored: { get($0)?.bindable },
                restore: { analysis, row in
                    // Nothing to put a value into.
                    if isOptional, get(analysis) == nil { return }
                    set(&analysis, try Value.read(key, row))
                })
        ) { track in
            track.analysis.flatMap(get)?.trackValue(kind)
        }
    }
}

/// A type of a stored field.
protocol FieldStorable: Sendable {
    var bindable: (any DatabaseBindable)? { get }
    static func read(_ column: String, _ row: borrowing Row) throws -> Self
    /// The value in reports; nil if a track has no value.
    func trackValue(_ kind: TrackField.Kind) -> TrackValue?
}

extension Double: FieldStorable {
    var bindable: (any DatabaseBindable)? { self }
    static func read(_ column: String, _ row: borrowing Row) throws -> Double { try row[column] }
    func trackValue(_ kind: TrackField.Kind) -> TrackValue? {
        guard case .number(let unit, _, _) = kind else { return .number(self) }
        return .number(self, in: unit)
    }
}

extension Int: FieldStorable {
    var bindable: (any DatabaseBindable)? { self }
    static func read(_ column: String, _ row: borrowing Row) throws -> Int { try row[column] }
    func trackValue(_ kind: TrackField.Kind) -> TrackValue? { .integer(self) }
}

extension Bool: FieldStorable {
    var bindable: (any DatabaseBindable)? { self }
    static func read(_ column: String, _ row: borrowing Row) throws -> Bool { try row[column] }
    func trackValue(_ kind: TrackField.Kind) -> TrackValue? { .flag(self) }
}

extension String: FieldStorable {
    var bindable: (any DatabaseBindable)? { self }
    static func read(_ column: String, _ row: borrowing Row) throws -> String { try row[column] }
    func trackValue(_ kind: TrackField.Kind) -> TrackValue? { .text(self) }
}

extension [UInt8]: FieldStorable {
    var bindable: (any DatabaseBindable)? { self }
    static func read(_ column: String, _ row: borrowing Row) throws -> [UInt8] { try row[column] }
    /// Bytes do not appear in reports.
    func trackValue(_ kind: TrackField.Kind) -> TrackValue? { nil }
}

extension Optional: FieldStorable where Wrapped: FieldStorable & DatabaseReadable {
    var bindable: (any DatabaseBindable)? { flatMap(\.bindable) }
    static func read(_ column: String, _ row: borrowing Row) throws -> Wrapped? { try row[column] }
    func trackValue(_ kind: TrackField.Kind) -> TrackValue? { flatMap { $0.trackValue(kind) } }
}

extension FieldStorable where Self: RawRepresentable, RawValue == String {
    var bindable: (any DatabaseBindable)? { rawValue }
    static func read(_ column: String, _ row: borrowing Row) throws -> Self {
        let text: String = try row[column]
        guard let value = Self(rawValue: text) else {
            throw StoreError(.damagedRow, "an analysis has an invalid \(column)")
        }
        return value
    }
    func trackValue(_ kind: TrackField.Kind) -> TrackValue? { .text(rawValue) }
}

extension AudioFormat: FieldStorable {}
extension CuePoints.Ending: FieldStorable {}
extension MusicalKey.Mode: FieldStorable {}
