internal import CTagLib

/// The contents of a file after a tag edit: new bytes, a range of the old file's bytes, new bytes. Nothing is written here.
///
/// An ID3v2 tag keeps its version (2.2, 2.3 or 2.4), and frames not affected by the edit are kept byte for byte. A file without
/// ID3v2 gets ID3v2.4 with the values of its APE or ID3v1 tag, since many programs then read no other tag; multiple values are
/// preserved, except for comments, which are joined by "; ". If an APE or ID3v1 tag contains an edited field, it is updated
/// too; no such tag is added. Unsynchronisation, an extended header and a footer are removed.
///
/// In a FLAC file, fields are Vorbis comments and the cover is a picture block. All other comments and blocks keep their bytes
/// and their order; only padding is gathered at the end. Values that an ID3v2, APE or ID3v1 tag has are updated there as well.
///
/// In an Ogg file, the cover is a comment, too. The pages with comments are rewritten, as many as before if the comments fit,
/// padded if they are too few. Otherwise the pages after them are renumbered, see ``renumbering``; their packets stay.
///
/// In an MP4 file, fields are the items of iTunes and the cover is the first picture. All other boxes and items keep their bytes and
/// their order. If the index precedes the audio and must grow beyond the free space after it, the audio moves, and the offsets in the
/// index with it; fragments with offsets of their own are then refused.
package struct TagRewrite: Sendable {
    /// The bytes before the kept range.
    package let leading: [UInt8]
    /// Byte range kept from the old file, including the audio.
    package let kept: Range<Int>
    /// The bytes after the kept range.
    package let trailing: [UInt8]
    /// Whether the result differs from the old file.
    package let isChanged: Bool
    /// How the file contains audio and tags.
    package let container: TagContainer
    /// The pages of Ogg in the kept range that get other numbers; nil if none do.
    package let renumbering: PageRenumbering?

    /// By how much the numbers of the pages of a stream of Ogg rise, up to the end of that stream.
    package struct PageRenumbering: Sendable, Hashable {
        /// The serial number of the stream.
        package let serial: UInt32
        /// The difference, which is added with wrap-around.
        package let shift: UInt32
    }

    /// Size of the new file in bytes.
    package var byteCount: Int { leading.count + kept.count + trailing.count }

    /// Computes the new contents of a file.
    /// - Parameters:
    ///   - edit: the changes; validated here.
    ///   - tags: the current tags of the file.
    ///   - descriptor: the file, open for reading. It is not closed.
    /// - Throws: `invalidValue`, `unsupportedTag`, `readFailed`, `outOfMemory`.
    package init(of edit: TagEdit, tags: TrackTags, descriptor: Int32) throws(TaggingError) {
        let handle = try TagFileHandle(try edit.checked(), tags: tags)
        let rewrite = try openedFile { ctaglib_rewrite_make(handle.handle, descriptor, $0, $1) }
        defer { ctaglib_rewrite_free(rewrite) }
        leading = Self.array(ctaglib_rewrite_leading(rewrite))
        kept = ctaglib_rewrite_kept_start(rewrite)..<ctaglib_rewrite_kept_end(rewrite)
        trailing = Self.array(ctaglib_rewrite_trailing(rewrite))
        isChanged = ctaglib_rewrite_is_changed(rewrite) != 0
        container = TagContainer(ctaglib_rewrite_container(rewrite))
        let shift = ctaglib_rewrite_page_shift(rewrite)
        renumbering =
            shift == 0
            ? nil : PageRenumbering(serial: ctaglib_rewrite_page_serial(rewrite), shift: shift)
    }

    private static func array(_ bytes: ctaglib_bytes) -> [UInt8] {
        Array(UnsafeBufferPointer(start: bytes.start, count: bytes.count))
    }
}

/// An edit owned by the tag library.
private final class TagFileHandle {
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
                (CTAGLIB_BPM, edit.bpm.applied(to: nil).map(String.init), edit.bpm.isLeft),
                (CTAGLIB_INITIAL_KEY, after.initialKey, edit.initialKey.isLeft),
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

    /// Returns four digits, as required by ID3v2.4 §4.2.5 and ID3v1.
    private static func yearText(_ year: Int) -> String {
        let digits = String(year)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
