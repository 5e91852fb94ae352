internal import CTagLib

/// What a file would be with other tags: new bytes, a run of the old file's bytes, new bytes. Nothing is written here.
///
/// ID3v2 keeps its version, and so do the frames that an edit does not speak of, byte for byte: in ID3v2.2, 2.3 and 2.4
/// alike. A file without ID3v2 gets ID3v2.4. Where an APE or ID3v1 tag states a field that is edited it is brought into
/// step; no such tag is added. An unsynchronised tag becomes a plain one, an extended header and a footer go.
public struct TagRewrite: Sendable {
    /// The bytes before the run.
    public let leading: [UInt8]
    /// The run of the old file's bytes, the audio among them.
    public let kept: Range<Int>
    /// The bytes behind the run.
    public let trailing: [UInt8]
    /// Whether anything differs from the old file.
    public let isChanged: Bool

    /// The new file's size in bytes.
    public var byteCount: Int { leading.count + kept.count + trailing.count }

    /// Works out a file's new bytes.
    /// - Parameters:
    ///   - edit: what to change; checked here.
    ///   - tags: what the file's tags say now.
    ///   - descriptor: the file, open for reading. It stays open.
    /// - Throws: `invalidValue`, `unsupportedTag`, `readFailed`, `outOfMemory`.
    public init(of edit: TagEdit, tags: TrackTags, descriptor: Int32) throws(TaggingError) {
        let handle = try EditHandle(try edit.checked(), tags: tags)
        let rewrite = try openedFile { ctaglib_rewrite_make(handle.handle, descriptor, $0, $1) }
        defer { ctaglib_rewrite_free(rewrite) }
        leading = Self.array(ctaglib_rewrite_leading(rewrite))
        kept = ctaglib_rewrite_kept_start(rewrite)..<ctaglib_rewrite_kept_end(rewrite)
        trailing = Self.array(ctaglib_rewrite_trailing(rewrite))
        isChanged = ctaglib_rewrite_is_changed(rewrite) != 0
    }

    private static func array(_ bytes: ctaglib_bytes) -> [UInt8] {
        Array(UnsafeBufferPointer(start: bytes.start, count: bytes.count))
    }
}

/// An edit as the tag library holds it.
private final class EditHandle {
    let handle: OpaquePointer

    init(_ edit: TagEdit, tags: TrackTags) throws(TaggingError) {
        guard let handle = ctaglib_edit_new() else {
            throw TaggingError(.outOfMemory, message: TaggingError.Code.outOfMemory.rawValue, path: "")
        }
        self.handle = handle
        let after = edit.applied(to: tags)
        let changes: [(ctaglib_field, String?, isLeft: Bool)] =
            [
                (CTAGLIB_TITLE, after.title, edit.title.isLeft),
                (CTAGLIB_ARTIST, after.artist, edit.artist.isLeft),
                (CTAGLIB_ALBUM, after.album, edit.album.isLeft),
                (CTAGLIB_ALBUM_ARTIST, after.albumArtist, edit.albumArtist.isLeft),
                (CTAGLIB_TRACK, after.track.tagText, edit.trackNumber.isLeft && edit.trackTotal.isLeft),
                (CTAGLIB_DISC, after.disc.tagText, edit.discNumber.isLeft && edit.discTotal.isLeft),
                (CTAGLIB_DATE, after.year.map(Self.yearText), edit.year.isLeft),
                (CTAGLIB_GENRE, after.genre, edit.genre.isLeft),
                (CTAGLIB_COMPOSER, after.composer, edit.composer.isLeft),
                (CTAGLIB_COMMENT, after.comment, edit.comment.isLeft),
                (CTAGLIB_COMPILATION, after.isCompilation ? "1" : nil, edit.isCompilation.isLeft),
            ] + Self.replayGainChanges(edit.replayGain)
        for (field, text, isLeft) in changes where !isLeft {
            try Self.check(Self.change(field, to: text, in: handle))
        }
        try edit.lyrics.add(to: handle)
        switch edit.cover {
        case .leave: break
        case .remove: try Self.check(ctaglib_edit_remove_cover(handle))
        case .set(let cover):
            try Self.check(
                ctaglib_edit_set_cover(handle, cover.mimeType, cover.data, cover.data.count))
        }
    }

    deinit { ctaglib_edit_free(handle) }

    private static func replayGainChanges(
        _ edit: ReplayGainEdit
    ) -> [(ctaglib_field, String?, isLeft: Bool)] {
        [
            (CTAGLIB_REPLAYGAIN_TRACK_GAIN, edit.trackGain.text, edit.trackGain.isLeft),
            (CTAGLIB_REPLAYGAIN_TRACK_PEAK, edit.trackPeak.text, edit.trackPeak.isLeft),
            (CTAGLIB_REPLAYGAIN_ALBUM_GAIN, edit.albumGain.text, edit.albumGain.isLeft),
            (CTAGLIB_REPLAYGAIN_ALBUM_PEAK, edit.albumPeak.text, edit.albumPeak.isLeft),
        ]
    }

    private static func change(
        _ field: ctaglib_field, to text: String?, in handle: OpaquePointer
    ) -> ctaglib_status {
        guard let text else { return ctaglib_edit_remove(handle, field) }
        return ctaglib_edit_set(handle, field, text, text.utf8.count)
    }

    private static func check(_ status: ctaglib_status) throws(TaggingError) {
        if status != CTAGLIB_OK { throw failure(status, systemError: 0, path: "") }
    }

    /// Four digits, as ID3v2.4 §4.2.5 and ID3v1 demand.
    private static func yearText(_ year: Int) -> String {
        let digits = String(year)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
