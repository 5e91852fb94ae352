internal import APIDescription
package import Analyzer
internal import Foundation
package import HTTPServer
package import LibraryStore
package import MusicFiles

/// ETags for states of a file. A track's ETag in the catalogue starts with it, followed by a slash and the
/// library's revision, so both can be used as `If-Match` for an edit.
package enum FileStateTag {
    private static let prefix = "e1-"

    package static func text(_ state: FileState) -> String {
        "\(prefix)\(state.size)-\(state.modificationTimeNanoseconds)"
    }

    package static func tag(_ state: FileState) -> EntityTag { EntityTag(text(state)) }

    /// Parses the state in a tag; nil for tags of anything else. Weak tags are accepted, because compressed
    /// responses have them.
    package static func state(_ text: some StringProtocol) -> FileState? {
        let plain = EntityTag(parsing: text)?.value ?? String(text)
        guard let own = plain.split(separator: "/", maxSplits: 1).first, own.hasPrefix(prefix) else {
            return nil
        }
        // The time may be negative (before 1970).
        let parts = own.dropFirst(prefix.count).split(separator: "-", maxSplits: 1)
        guard parts.count == 2, let size = Int(parts[0]), let time = Int(parts[1]) else { return nil }
        return FileState(size: size, modificationTimeNanoseconds: time)
    }

    /// The condition of an `If-Match` header.
    package enum Condition {
        /// No header or `*`: any state matches.
        case none
        /// Any of these states; never satisfied if the list is empty, which means that only foreign tags were
        /// sent.
        case oneOf([FileState])
    }

    package static func condition(of request: HTTPRequest) -> Condition {
        guard let text = request.fields[.ifMatch],
            text.trimmingCharacters(in: .whitespaces) != "*"
        else { return .none }
        return .oneOf(text.split(separator: ",").compactMap { state($0) })
    }

    /// Returns the state that an edit must expect of a file.
    /// - Throws: 412 if several states are allowed and the file is in none of them.
    package static func expected(
        _ condition: Condition, at path: RelativePath, in music: MusicFolder
    ) throws(HTTPError) -> FileState? {
        switch condition {
        case .none: return nil
        case .oneOf(let states) where states.count == 1: return states.first
        case .oneOf(let states):
            guard let current = music.entry(at: path)?.file, states.contains(current) else {
                throw APIError.stateDiffers("The file has changed (ETag mismatch).", field: "If-Match")
            }
            return current
        }
    }
}
