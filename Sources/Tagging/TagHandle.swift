internal import CTagLib
internal import FileSystem
internal import Glibc

/// The tag texts of one file, owned by the tag library.
struct TagHandle: ~Copyable {
    private let handle: OpaquePointer

    init(path: [UInt8]) throws(TaggingError) {
        handle = try opened(path) { ctaglib_tags_read($0, $1, $2) }
    }

    init(descriptor: Int32) throws(TaggingError) {
        handle = try openedFile { ctaglib_tags_read_open(descriptor, $0, $1) }
    }

    deinit { ctaglib_tags_free(handle) }

    var trackTags: TrackTags {
        var tags = TrackTags()
        tags.title = text(CTAGLIB_TITLE)
        tags.artist = text(CTAGLIB_ARTIST)
        tags.album = text(CTAGLIB_ALBUM)
        tags.albumArtist = text(CTAGLIB_ALBUM_ARTIST)
        tags.track = NumberInSet(tagText: text(CTAGLIB_TRACK))
        tags.disc = NumberInSet(tagText: text(CTAGLIB_DISC))
        tags.year = text(CTAGLIB_DATE).flatMap(Self.year)
        tags.genre = text(CTAGLIB_GENRE)
        tags.composer = text(CTAGLIB_COMPOSER)
        tags.comment = text(CTAGLIB_COMMENT, keepsLines: true)
        tags.isCompilation = ["1", "true", "yes"].contains(text(CTAGLIB_COMPILATION)?.lowercased())
        tags.bpm = text(CTAGLIB_BPM).flatMap { Double($0) }.flatMap { $0 > 0 && $0 < 1_000 ? $0 : nil }
        tags.initialKey = text(CTAGLIB_INITIAL_KEY)
        tags.hasCover = ctaglib_tags_has_cover(handle) != 0
        tags.musicBrainzAlbumID = text(CTAGLIB_MUSICBRAINZ_ALBUM_ID)
        tags.replayGain = ReplayGainTags(
            trackGainDB: ReplayGainTags.gain(text(CTAGLIB_REPLAYGAIN_TRACK_GAIN)),
            trackPeak: ReplayGainTags.peak(text(CTAGLIB_REPLAYGAIN_TRACK_PEAK)),
            albumGainDB: ReplayGainTags.gain(text(CTAGLIB_REPLAYGAIN_ALBUM_GAIN)),
            albumPeak: ReplayGainTags.peak(text(CTAGLIB_REPLAYGAIN_ALBUM_PEAK)))
        tags.mixRamp = MixRampTags(
            start: text(CTAGLIB_MIXRAMP_START), end: text(CTAGLIB_MIXRAMP_END),
            reference: text(CTAGLIB_MIXRAMP_REFERENCE))
        tags.isrc = text(CTAGLIB_ISRC)
        tags.musicBrainzTrackID = text(CTAGLIB_MUSICBRAINZ_TRACK_ID)
        tags.titleSort = text(CTAGLIB_TITLE_SORT)
        tags.mood = text(CTAGLIB_MOOD)
        tags.advisory = text(CTAGLIB_ADVISORY).flatMap { Int($0) }
        tags.lyricist = text(CTAGLIB_LYRICIST)
        tags.conductor = text(CTAGLIB_CONDUCTOR)
        tags.remixer = text(CTAGLIB_REMIXER)
        tags.kinds = TagKinds(rawValue: Int(ctaglib_tags_kinds(handle)))
        return tags
    }

    private func text(_ field: ctaglib_field, keepsLines: Bool = false) -> String? {
        let bytes = ctaglib_tags_field(handle, field)
        return TagText.cleaned(
            UnsafeBufferPointer(start: bytes.start, count: bytes.count), keepsLines: keepsLines)
    }

    /// Returns the raw text of a field; empty if it has none.
    borrowing func statedText(_ field: ctaglib_field) -> String {
        let bytes = ctaglib_tags_field(handle, field)
        let start = UnsafeBufferPointer(start: bytes.start, count: bytes.count)
        return String(decoding: start.prefix(TagText.maximumLength), as: UTF8.self)
    }

    /// Whether a text was joined from multiple values.
    borrowing func hasSeveralValues(_ field: ctaglib_field) -> Bool {
        ctaglib_tags_has_several(handle, field) != 0
    }

    /// Parses the year at the start of a date such as "2003", "2003-05-01" or "2003-05-01T12:00".
    private static func year(_ date: String) -> Int? {
        let digits = date.prefix { $0.isASCII && $0.isNumber }
        guard digits.count == 4, let year = Int(digits), year > 0 else { return nil }
        return year
    }
}

/// Calls a C function that opens a file and returns a handle, and converts its status to an error.
func opened(
    _ path: [UInt8],
    _ open: (
        UnsafePointer<CChar>, UnsafeMutablePointer<OpaquePointer?>, UnsafeMutablePointer<Int32>
    ) -> ctaglib_status
) throws(TaggingError) -> OpaquePointer {
    guard let handle = try openedIfAny(path, open) else {
        throw TaggingError(
            .libraryFailed, message: "the tag library returned no result",
            path: String(decoding: path, as: UTF8.self))
    }
    return handle
}

/// Like `opened`, but a missing handle is a valid result.
func openedIfAny(
    _ path: [UInt8],
    _ open: (
        UnsafePointer<CChar>, UnsafeMutablePointer<OpaquePointer?>, UnsafeMutablePointer<Int32>
    ) -> ctaglib_status
) throws(TaggingError) -> OpaquePointer? {
    let shownPath = String(decoding: path, as: UTF8.self)
    guard !path.isEmpty, !path.contains(0) else {
        throw TaggingError(.cannotOpen, message: "invalid file name", path: shownPath)
    }
    var handle: OpaquePointer?
    var systemError: Int32 = 0
    let status = (path + [0]).withUnsafeBufferPointer { bytes in
        bytes.withMemoryRebound(to: CChar.self) { name in
            // The array is never empty, so it has an address.
            name.baseAddress.map { open($0, &handle, &systemError) } ?? CTAGLIB_INTERNAL
        }
    }
    if status == CTAGLIB_OK { return handle }
    throw failure(status, systemError: systemError, path: shownPath)
}

/// Calls a C function that works on an open file, and converts its status to an error.
func openedFile(
    _ open: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutablePointer<Int32>) -> ctaglib_status
) throws(TaggingError) -> OpaquePointer {
    guard let handle = try openedFileIfAny(open) else {
        throw TaggingError(.libraryFailed, message: "the tag library returned no result", path: "")
    }
    return handle
}

/// Like `openedFile`, but a missing handle is a valid result.
func openedFileIfAny(
    _ open: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutablePointer<Int32>) -> ctaglib_status
) throws(TaggingError) -> OpaquePointer? {
    var handle: OpaquePointer?
    var systemError: Int32 = 0
    let status = open(&handle, &systemError)
    guard status == CTAGLIB_OK else { throw failure(status, systemError: systemError, path: "") }
    return handle
}

/// Converts a status of the C layer, other than success, to an error.
func failure(_ status: ctaglib_status, systemError: Int32, path: String) -> TaggingError {
    let (code, message): (TaggingError.Code, String?) =
        switch status {
        case CTAGLIB_CANNOT_OPEN: (.cannotOpen, nil)
        case CTAGLIB_NOT_A_REGULAR_FILE: (.notARegularFile, nil)
        case CTAGLIB_READ_FAILED: (.readFailed, nil)
        case CTAGLIB_NO_MEMORY: (.outOfMemory, nil)
        case CTAGLIB_UNSUPPORTED_TAG:
            (.unsupportedTag, "has tags that are damaged, overlap or are too large to be edited without loss")
        case CTAGLIB_PICTURE_TOO_LARGE:
            (
                .invalidValue,
                "cover is too large for a FLAC or Ogg file, whose pictures have less than 16 MiB; use a smaller image"
            )
        default: (.libraryFailed, nil)
        }
    let field: TagField? = status == CTAGLIB_PICTURE_TOO_LARGE ? .cover : nil
    let reason = systemError == 0 ? "" : ": \(SystemError(code: systemError))"
    return TaggingError(
        code, message: (message ?? code.rawValue) + reason, path: path, systemError: systemError, field: field
    )
}
