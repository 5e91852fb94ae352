extension TagEdit {
    /// Returns the edit as it will be written: texts trimmed, line breaks as "
    /// ".
    /// - Throws: `invalidValue` with the field if a value cannot be stored in a tag: an empty text, one with control characters
    ///   (NUL would split it into several values), one that is too long, a number out of range, a picture that is neither JPEG
    ///   nor PNG.
    package func checked() throws(TaggingError) -> TagEdit {
        var edit = self
        edit.title = try Self.text(title, .title)
        edit.artist = try Self.text(artist, .artist)
        edit.album = try Self.text(album, .album)
        edit.albumArtist = try Self.text(albumArtist, .albumArtist)
        edit.genre = try Self.text(genre, .genre)
        edit.composer = try Self.text(composer, .composer)
        edit.comment = try Self.text(comment, .comment)
        edit.initialKey = try Self.text(initialKey, .initialKey)
        if case .set(let key) = edit.initialKey, key.unicodeScalars.count > 3 {
            throw Self.invalid(.initialKey, "is longer than three characters")
        }
        let numbers: [(TagChange<Int>, TagField, ClosedRange<Int>)] = [
            (trackNumber, .trackNumber, 1...99_999), (trackTotal, .trackTotal, 1...99_999),
            (discNumber, .discNumber, 1...99_999), (discTotal, .discTotal, 1...99_999),
            (year, .year, 1...9_999), (bpm, .bpm, 1...999),
        ]
        for (change, field, range) in numbers {
            guard case .set(let number) = change, !range.contains(number) else { continue }
            throw Self.invalid(field, "must be from \(range.lowerBound) to \(range.upperBound)")
        }
        if case .set(let picture) = cover {
            guard picture.data.count <= Self.maximumCoverBytes else {
                throw Self.invalid(.cover, "is larger than \(Self.maximumCoverBytes >> 20) MiB")
            }
            guard let type = EmbeddedCover.sniffedType(picture.data), Self.coverTypes.contains(type) else {
                throw Self.invalid(.cover, "is neither a JPEG nor a PNG image")
            }
            edit.cover = .set(EmbeddedCover(data: picture.data, mimeType: type))
        }
        return edit
    }

    private static let coverTypes = ["image/jpeg", "image/png"]

    private static func text(
        _ change: TagChange<String>, _ field: TagField
    ) throws(TaggingError) -> TagChange<String> {
        guard case .set(let value) = change else { return change }
        // Check the size first, since the text may be arbitrarily large.
        guard value.utf8.count <= maximumTextBytes else {
            throw invalid(field, "is longer than \(maximumTextBytes) bytes")
        }
        let isComment = field == .comment
        let text = trimmed(isComment ? unifiedLines(value) : value)
        guard !text.isEmpty else { throw invalid(field, "is empty; remove it instead") }
        // Text that a reader would change cannot be verified after writing.
        guard let cleaned = TagText.cleaned(text.utf8, keepsLines: isComment),
            cleaned.unicodeScalars.elementsEqual(text.unicodeScalars)
        else { throw invalid(field, "contains control characters") }
        return .set(text)
    }

    private static func unifiedLines(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\n", scalars.last == "\r" { scalars.removeLast() }
            scalars.append(scalar)
        }
        return String(String.UnicodeScalarView(scalars.map { $0 == "\r" ? "\n" : $0 }))
    }

    private static func trimmed(_ text: String) -> String {
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(text[first...last])
    }

    private static func invalid(_ field: TagField, _ reason: String) -> TaggingError {
        TaggingError(.invalidValue, message: "\(field.rawValue) \(reason)", path: "", field: field)
    }
}
