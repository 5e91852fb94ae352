/// The reason why lyrics could not be read or changed. Nothing has been changed.
package struct LyricsError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        package let rawValue: String
        /// Creates a code from its name.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The music folder has no music file at this path.
        package static let noSuchTrack = Code(rawValue: "no_such_track")
        /// The track has no lyrics of the requested kind.
        package static let noLyrics = Code(rawValue: "no_lyrics")
        /// The lyrics have no times, but times are required.
        package static let notSynced = Code(rawValue: "not_synced")
        /// Lines, text or times cannot be stored; ``LyricsError/field`` is the invalid field.
        package static let invalidLyrics = Code(rawValue: "invalid_lyrics")
        /// The lyrics have changed (ETag mismatch).
        package static let stateDiffers = Code(rawValue: "changed_meanwhile")
        /// The change requires a condition (If-Match), and none was given.
        package static let conditionNeeded = Code(rawValue: "precondition_required")
        /// The folder or the file is read-only.
        package static let readOnly = Code(rawValue: "read_only")
        /// Another program is using the file.
        package static let busy = Code(rawValue: "busy")
        /// The disk is full.
        package static let noSpace = Code(rawValue: "no_space")
        /// Reading or writing failed for another reason.
        package static let systemFailed = Code(rawValue: "system_failed")
        /// The file's tags cannot be edited.
        package static let unsupportedTag = Code(rawValue: "unsupported_tag")
    }

    /// The kind of failure.
    package let code: Code
    /// A readable explanation.
    package let message: String
    /// The invalid field of the change, if any.
    package let field: String?

    /// Creates an error.
    package init(_ code: Code, _ message: String, field: String? = nil) {
        self.code = code
        self.message = message
        self.field = field
    }

    init(_ error: TagEditError) {
        let code: Code =
            switch error.code {
            case .notFound: .noSuchTrack
            case .stateDiffers, .changedMeanwhile: .stateDiffers
            case .busy: .busy
            case .noSpace: .noSpace
            case .readOnly, .cannotKeepOwner, .outsideMusicFolder: .readOnly
            case .unsupportedTag, .noAudio, .audioWouldChange, .valueNotKept: .unsupportedTag
            default: .systemFailed
            }
        self.init(code, "The tags cannot be edited: \(error.description)")
    }

    /// The message.
    package var description: String { message }
}
