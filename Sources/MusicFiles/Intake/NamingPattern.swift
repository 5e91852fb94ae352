internal import Foundation
internal import MusicShared
internal import Tagging

/// A pattern for naming files by their tags: `{album_artist}/{year} - {album}/{disc}-{track} {title}`. The extension is that
/// of the file's format.
///
/// A name in braces is replaced by the tag's value. If the tag is missing, it is omitted together with the
/// text up to the next name (the separator). Artist, album and title are never omitted: another tag or a
/// placeholder is used instead.
package struct NamingPattern: Sendable, Hashable, CustomStringConvertible {
    /// The default pattern.
    package static let standard = NamingPattern(
        folders: [
            [.field(.albumArtist)], [.field(.year), .text(" - "), .field(.album)],
        ],
        file: [
            .field(.disc), .text("-"), .field(.track), .text(" "), .field(.title),
        ])

    /// A name in braces.
    enum Field: String, CaseIterable {
        case title, artist, album
        case albumArtist = "album_artist"
        case track, disc, year, genre, composer
        /// Name of the uploaded file without its extension.
        case filename
    }

    private enum Piece: Sendable, Hashable {
        case text(String)
        case field(Field)
    }

    private static let mostFolders = 8

    private let folders: [[Piece]]
    private let file: [Piece]

    private init(folders: [[Piece]], file: [Piece]) {
        self.folders = folders
        self.file = file
    }

    /// Parses a pattern. The extension of an audio format at its end is ignored.
    /// - Throws: ``IntakeError`` `badPattern` if a name in braces is unknown, a part is empty or leads
    ///   elsewhere, or no part of the file name depends on the file.
    package init(_ text: String) throws(IntakeError) {
        guard text.utf8.count <= 500 else { throw Self.bad("must have at most 500 characters") }
        var parts: [[Piece]] = []
        let words = AudioFormat.stem(of: text).split(separator: "/", omittingEmptySubsequences: false)
        for part in words {
            let pieces = try Self.pieces(part)
            guard !pieces.isEmpty else { throw Self.bad("has an empty part") }
            parts.append(pieces)
        }
        guard let file = parts.popLast(), parts.count <= Self.mostFolders else {
            throw Self.bad("has more than \(Self.mostFolders) folders")
        }
        let naming: [Piece] = [.field(.title), .field(.track), .field(.filename)]
        guard file.contains(where: naming.contains) else {
            throw Self.bad("must name the file by {title}, {track} or {filename}")
        }
        self.init(folders: parts, file: file)
    }

    /// Returns the destination of a file.
    /// - Parameters:
    ///   - tags: the file's tags.
    ///   - fileName: the file's name as uploaded.
    ///   - format: the file's format, which decides the extension.
    ///   - number: from 2 on, appended to distinguish files of the same name.
    /// - Returns: the names of folders and file, each safe: not empty, not hidden, not leading elsewhere.
    func parts(
        _ tags: TrackTags, fileName: String, format: AudioFormat = .mp3, number: Int = 1
    ) -> [String] {
        let stem = Self.stem(fileName)
        var parts = folders.map { Self.name($0, tags, stem) }
        let name = Self.name(file, tags, stem)
        let ending = format.fileExtension
        parts.append(number > 1 ? "\(name) (\(number))\(ending)" : name + ending)
        return parts
    }

    /// The pattern as text.
    package var description: String {
        (folders + [file]).map { part in
            part.map { piece in
                switch piece {
                case .text(let text): text
                case .field(let field): "{\(field.rawValue)}"
                }
            }.joined()
        }.joined(separator: "/")
    }

    private static func pieces(_ part: Substring) throws(IntakeError) -> [Piece] {
        var pieces: [Piece] = []
        var rest = part
        while !rest.isEmpty {
            let text = rest.prefix { $0 != "{" && $0 != "}" }
            rest = rest.dropFirst(text.count)
            if !text.isEmpty {
                // A character that is not allowed in file names would be replaced, or a hidden folder would
                // become a visible one.
                let isSafe =
                    text.unicodeScalars.allSatisfy { $0.value >= 0x20 }
                    && !text.contains { "\\<>:\"|?*".contains($0) }
                guard isSafe, !(pieces.isEmpty && text.hasPrefix(".")) else {
                    throw bad("has a part that is not allowed in file names: \(text)")
                }
                pieces.append(.text(String(text)))
            }
            guard rest.first == "{" else {
                guard rest.isEmpty else { throw bad("has an unmatched brace") }
                break
            }
            let name = rest.dropFirst().prefix { $0 != "}" && $0 != "{" }
            rest = rest.dropFirst(name.count + 1)
            guard rest.first == "}", let field = Field(rawValue: String(name)) else {
                let names = Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: " ")
                throw bad("contains the unknown name {\(name)}; use one of \(names)")
            }
            rest = rest.dropFirst()
            pieces.append(.field(field))
        }
        return pieces
    }

    private static func name(_ pieces: [Piece], _ tags: TrackTags, _ stem: String) -> String {
        var text = ""
        // A separator is added only if something follows it.
        var separator = ""
        var isMissing = false
        for piece in pieces {
            switch piece {
            case .text(let literal): if !isMissing { separator += literal }
            case .field(let field):
                let value = SafeFileName.name(value(of: field, tags, stem) ?? "")
                isMissing = value.isEmpty
                guard !isMissing else { continue }
                text += separator + value
                separator = ""
            }
        }
        if !isMissing { text += separator }
        let name = SafeFileName.name(text)
        return name.isEmpty ? "_" : name
    }

    private static func value(of field: Field, _ tags: TrackTags, _ stem: String) -> String? {
        switch field {
        case .title: tags.title ?? (stem.isEmpty ? "Untitled" : stem)
        case .artist: tags.artist ?? tags.albumArtist ?? "Unknown Artist"
        case .albumArtist:
            tags.albumArtist ?? (tags.isCompilation ? "Various Artists" : tags.artist ?? "Unknown Artist")
        case .album: tags.album ?? "Unknown Album"
        case .track: tags.track.number.map { padded($0, width: (tags.track.total ?? 0) > 99 ? 3 : 2) }
        // The only disc of a set does not need a number.
        case .disc: tags.disc.total == 1 ? nil : tags.disc.number.map { "\($0)" }
        case .year: tags.year.map { padded($0, width: 4) }
        case .genre: tags.genre
        case .composer: tags.composer
        case .filename: stem.isEmpty ? "Untitled" : stem
        }
    }

    private static func padded(_ number: Int, width: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// The last component of a path of any system, without its extension.
    private static func stem(_ fileName: String) -> String {
        let name = fileName.split { $0 == "/" || $0 == "\\" }.last ?? ""
        return SafeFileName.name(AudioFormat.stem(of: String(name)))
    }

    private static func bad(_ reason: String) -> IntakeError {
        IntakeError(.badPattern, "the naming pattern for uploads \(reason)")
    }
}
