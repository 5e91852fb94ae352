internal import Analyzer
internal import Companion
internal import Foundation
internal import HTTPServer

/// The tag of a file's state. A track of the catalogue has it as the first part of its own tag, with the library's revision
/// behind a slash, so that both can be sent back with an edit.
enum FileStateTag {
    private static let prefix = "e1-"

    static func text(_ state: FileState) -> String {
        "\(prefix)\(state.size)-\(state.modificationTimeNanoseconds)"
    }

    static func tag(_ state: FileState) -> EntityTag { EntityTag(text(state)) }

    /// The state that a tag names; nil for a tag of anything else. Weak tags count as well: those of compressed answers are.
    static func state(_ text: some StringProtocol) -> FileState? {
        let plain = EntityTag(parsing: text)?.value ?? String(text)
        guard let own = plain.split(separator: "/", maxSplits: 1).first, own.hasPrefix(prefix) else {
            return nil
        }
        // The time may be before 1970, with a sign of its own.
        let parts = own.dropFirst(prefix.count).split(separator: "-", maxSplits: 1)
        guard parts.count == 2, let size = Int(parts[0]), let time = Int(parts[1]) else { return nil }
        return FileState(size: size, modificationTimeNanoseconds: time)
    }

    /// What `If-Match` demands.
    enum Condition {
        /// Any state will do.
        case none
        /// One of these; none of them if there are none, since a tag of something else was sent.
        case oneOf([FileState])
    }

    static func condition(of request: HTTPRequest) -> Condition {
        guard let text = request.fields[.ifMatch],
            text.trimmingCharacters(in: .whitespaces) != "*"
        else { return .none }
        return .oneOf(text.split(separator: ",").compactMap { state($0) })
    }

    /// The state to expect of a file, where one of several will do.
    /// - Throws: 412 where the file is in none of them.
    static func expected(
        _ condition: Condition, at path: RelativePath, in music: MusicFolder
    ) throws(HTTPError) -> FileState? {
        switch condition {
        case .none: return nil
        case .oneOf(let states) where states.count == 1: return states.first
        case .oneOf(let states):
            guard let current = music.entry(at: path)?.file, states.contains(current) else {
                throw HTTPError(
                    .preconditionFailed, code: "state_differs",
                    message: "The file is in none of the states that the edit is meant for.",
                    field: "If-Match")
            }
            return current
        }
    }
}
