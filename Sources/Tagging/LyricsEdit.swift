internal import CTagLib

/// Changes to the lyrics frames of a file. Frames that are not mentioned remain unchanged, byte for byte.
package struct LyricsEdit: Sendable, Hashable {
    /// A frame to write.
    package struct Frame: Sendable, Hashable {
        /// Whether the frame is `SYLT`.
        package var isSynchronised: Bool
        /// Content for an ID3v2.4 tag, where text may be UTF-8.
        package var content: [UInt8]
        /// Content for tags of earlier versions.
        package var olderContent: [UInt8]

        /// Memberwise initializer.
        package init(isSynchronised: Bool, content: [UInt8], olderContent: [UInt8]) {
            self.isSynchronised = isSynchronised
            self.content = content
            self.olderContent = olderContent
        }

        fileprivate func matches(_ frame: LyricsFrameBytes) -> Bool {
            frame.isSynchronised == isSynchronised
                && (frame.content == content || frame.content == olderContent)
        }
    }

    /// Maximum size of a frame's content in bytes.
    package static let maximumBytes = 2 << 20

    /// New frames by the index of the replaced lyrics frame.
    package var replaced: [Int: Frame] = [:]
    /// Indexes of frames to remove.
    package var removed: Set<Int> = []
    /// Frames to add.
    package var added: [Frame] = []

    /// Creates an edit that changes nothing.
    package init() {}

    /// Whether the frames of a file are the result of applying this edit to its former frames.
    func isDone(_ after: [LyricsFrameBytes], of before: [LyricsFrameBytes]) -> Bool {
        let kept = before.indices.filter { !removed.contains($0) }
        // Added frames are at the end of the first tag, before those of a second one.
        guard after.count == kept.count + added.count else { return false }
        var rest = after[...]
        var missing = added[...]
        for place in kept {
            while let next = rest.first, !isSame(next, before[place], at: place) {
                guard let frame = missing.popFirst(), frame.matches(next) else { return false }
                rest = rest.dropFirst()
            }
            guard rest.popFirst() != nil else { return false }
        }
        return rest.count == missing.count && zip(missing, rest).allSatisfy { $0.matches($1) }
    }

    private func isSame(_ frame: LyricsFrameBytes, _ old: LyricsFrameBytes, at place: Int) -> Bool {
        replaced[place].map { $0.matches(frame) } ?? (frame == old)
    }

    /// Passes the edit to the tag library.
    func add(to edit: OpaquePointer) throws(TaggingError) {
        func check(_ status: ctaglib_status) throws(TaggingError) {
            if status != CTAGLIB_OK { throw failure(status, systemError: 0, path: "") }
        }
        for (place, frame) in replaced { try check(Self.set(frame, at: place, in: edit)) }
        for place in removed { try check(ctaglib_edit_remove_lyrics(edit, place)) }
        for frame in added { try check(Self.set(frame, at: nil, in: edit)) }
    }

    private static func set(_ frame: Frame, at place: Int?, in edit: OpaquePointer) -> ctaglib_status {
        ctaglib_edit_set_lyrics(
            edit, place ?? Int(bitPattern: UInt.max), frame.isSynchronised ? 1 : 0, frame.content,
            frame.content.count, frame.olderContent, frame.olderContent.count)
    }
}
