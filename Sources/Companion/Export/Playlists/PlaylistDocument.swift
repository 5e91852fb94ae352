internal import Analyzer
internal import Foundation
package import LibraryStore
internal import MusicShared
internal import Tagging

/// Writes tracks in another system's format, piece by piece, so that even long lists need little memory.
package struct PlaylistDocument {
    private let format: PlaylistFormat
    private let name: String
    private let prefix: String
    private var album: String?
    private var isEmpty = true

    /// Starts a document.
    /// - Parameters:
    ///   - name: the display name of the list.
    ///   - prefix: prepended to each path within the music folder: the folder as the other system knows it,
    ///     such as `/music/`. A slash is appended unless it ends with one of `/ \\ = : ? & #`.
    package init(_ format: PlaylistFormat, name: String, prefix: String) {
        self.format = format
        self.name = name
        let isComplete = prefix.last.map { "/\\=:?&#".contains($0) } ?? true
        self.prefix = isComplete ? prefix : prefix + "/"
    }

    /// The beginning of the document, before the first entry.
    package var head: String {
        switch format {
        case .m3u8: "#EXTM3U\n#PLAYLIST:\(SingleLine.joined(name))\n"
        case .liquidsoap: ""
        case .cueFile, .azuracast, .mixramp: "{"
        }
    }

    /// The end of the document, after the last entry.
    package var end: String {
        switch format {
        case .m3u8, .liquidsoap: ""
        case .cueFile, .azuracast, .mixramp: "\n}\n"
        }
    }

    /// Returns the entry of a track; empty if the format cannot represent it: a path with a line break in a
    /// line-based format, a track without a profile in a format that requires one, or a track of a cue sheet, which has no file of
    /// its own, in a format other than Liquidsoap's.
    package mutating func entry(_ found: AnalysedTrack) throws -> String {
        guard found.track.path.sheetTrack == nil || format == .liquidsoap else { return "" }
        switch format {
        case .m3u8: return line(found)
        case .liquidsoap:
            guard let annotation = LiquidsoapAnnotation(found, uri: Array(address(found).utf8)),
                annotation.fitsOnOneLine
            else { return "" }
            return "\(annotation)\n"
        case .cueFile:
            guard let annotation = LiquidsoapAnnotation(found, uri: []) else { return "" }
            return try member(address(found), annotation.values)
        case .azuracast:
            guard let fields = AzuraCastFields(found) else { return "" }
            return try member(address(found), fields)
        case .mixramp:
            guard let tags = MixRampDescription(found) else { return "" }
            return try member(address(found), tags)
        }
    }

    // MARK: - Lines

    private mutating func line(_ found: AnalysedTrack) -> String {
        let address = address(found)
        guard !address.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return "" }
        let tags = found.track.tags
        var text = ""
        if let title = tags.album, title != album {
            text += "#EXTALB:\(SingleLine.joined(title))\n"
            album = title
        }
        let seconds = found.analysis.map { Int($0.stream.durationSeconds.rounded()) } ?? -1
        let names = [tags.artist, tags.title].compactMap(\.self)
        text +=
            "#EXTINF:\(seconds),\(SingleLine.joined(names.isEmpty ? address : names.joined(separator: " - ")))\n"
        // A line that starts with a number sign is a comment.
        return text + (address.hasPrefix("#") ? "./" : "") + address + "\n"
    }

    private func address(_ found: AnalysedTrack) -> String { prefix + found.track.path.audioFile.text }

    // MARK: - JSON

    private mutating func member(_ key: String, _ value: some Encodable) throws -> String {
        defer { isEmpty = false }
        return (isEmpty ? "\n  " : ",\n  ") + "\(try Self.json(key)): \(try Self.json(value))"
    }

    private static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
