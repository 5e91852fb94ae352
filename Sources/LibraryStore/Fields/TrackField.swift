package import Analyzer
package import MusicShared
package import SQLiteDatabase

/// One value that a track is reported with, declared once: its name in JSON, CSV and the database, its meaning, its unit and
/// rounding, and where it comes from. Columns, reports, tables and the API's description are made from ``all``.
package struct TrackField: Sendable {
    /// The type of a value, and its range.
    package enum Kind: Sendable, Equatable {
        /// Text, with an example.
        case text(example: String? = nil)
        /// Text that a regular expression describes.
        case pattern(String, example: String)
        /// One of some words.
        case choice([String])
        /// A whole number.
        case integer(ClosedRange<Int>)
        /// A number with a unit.
        case number(Unit, ClosedRange<Double> = -.infinity ... .infinity, example: Double? = nil)
        /// Yes or no.
        case flag
        /// Several texts.
        case texts(canBeEmpty: Bool = false)
        /// Several numbers.
        case numbers(Unit)
    }

    /// The unit of a number.
    package typealias Unit = MeasurementUnit

    /// Where a value appears.
    package enum Place: Sendable {
        /// In every report.
        case reports
        /// Only in the report of a single track: long lists.
        case details
        /// In the database only.
        case storage
    }

    /// The column of `analyses` with the value.
    package struct Column: Sendable {
        /// Whether it belongs to the profile rather than to the stream: a pass for spectra only has no profile.
        package let isOfProfile: Bool
        /// The value to store.
        package let stored: @Sendable (TrackAnalysis) -> (any DatabaseBindable)?
        /// Puts the stored value into an analysis; nil for values that follow from others.
        package let restore: (@Sendable (inout TrackAnalysis, borrowing Row) throws -> Void)?
    }

    /// The name in JSON and CSV, and of the column.
    package let key: String
    /// A short name for tables; nil where the report of a track names it in its own words.
    package var label: String?
    package let kind: Kind
    /// Description for the API: a sentence.
    package let meaning: String
    /// Whether every track has it.
    package var isAlways = false
    package var place = Place.reports
    /// Nil if it is not a column of `analyses`.
    package var column: Column?
    /// The value of a track, rounded; nil if it has none.
    package let value: @Sendable (AnalysedTrack) -> TrackValue?
}

/// A value of a ``TrackField``.
package enum TrackValue: Sendable, Equatable {
    case text(String)
    case integer(Int)
    case number(Double)
    case flag(Bool)
    case texts([String])
    case numbers([Double])

    /// A number in a unit, rounded as in reports.
    static func number(_ value: Double, in unit: TrackField.Unit) -> TrackValue {
        .number(value.rounded(in: unit))
    }
}
