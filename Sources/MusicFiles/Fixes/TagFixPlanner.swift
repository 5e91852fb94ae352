internal import Foundation
package import LibraryStore
internal import MusicShared
package import Tagging

/// Computes the changes that fixes would make to tracks. Reads tags; writes nothing.
///
/// Albums are looked up once each: use a planner for one pass over the tracks, on one thread.
package final class TagFixPlanner {
    private struct AlbumKey: Hashable {
        var folder: RelativePath?
        var album: String
    }

    private let library: LibraryStore
    private let music: MusicFolder
    private let fixes: Set<TagFix>
    private var opinions: [AlbumKey: AlbumArtistSuggestion] = [:]
    private var years: [Int: Int?] = [:]

    /// Maximum number of albums in the cache.
    private static let capacity = 1_000

    /// Creates a planner for the given fixes.
    package init(library: LibraryStore, music: MusicFolder, fixes: Set<TagFix>) {
        self.library = library
        self.music = music
        self.fixes = fixes
    }

    /// Returns the changes that the fixes would make to a track; changes and edit are empty if there is
    /// nothing to fix.
    /// - Throws: `TaggingError` if the file cannot be read, `DatabaseError`.
    package func plan(_ track: CatalogueTrack) throws -> (edit: TagEdit, changes: [TagFixChange]) {
        // The texts of a cue sheet are corrected in the sheet.
        guard track.path.sheetTrack == nil else { return (TagEdit(), []) }
        let stated = try StatedTexts.read(from: music.absolutePath(of: track.path))
        var plan = Plan(tags: stated.tags)
        if fixes.contains(.mojibake) { repair(stated, &plan) }
        if fixes.contains(.trimWhiteSpace) { trim(stated, &plan) }
        if fixes.contains(.splitCompilations) || fixes.contains(.missingAlbumArtist) {
            try unite(track, &plan)
        }
        if fixes.contains(.inconsistentYears), let album = track.albumID {
            if let year = try year(ofAlbum: album), plan.tags.year != year {
                plan.change(
                    .inconsistentYears, .year, plan.tags.year.map(String.init), String(year)
                ) { $0.year = .set(year) }
            }
        }
        if fixes.contains(.id3v1ToID3v2), stated.tags.kinds == .id3v1 { carryOver(track, &plan) }
        return (plan.edit, plan.changes)
    }

    /// The plan for one file.
    private struct Plan {
        /// The tags after the changes so far.
        var tags: TrackTags
        var edit = TagEdit()
        var changes: [TagFixChange] = []

        init(tags: TrackTags) { self.tags = tags }

        /// Adds a change, unless the value is not allowed in tags.
        mutating func change(
            _ fix: TagFix, _ field: TagField, _ before: String?, _ after: String?,
            _ body: (inout TagEdit) -> Void
        ) {
            var changed = edit
            body(&changed)
            guard let checked = try? changed.checked() else { return }
            edit = checked
            tags = checked.applied(to: tags)
            changes.append(TagFixChange(fix: fix, field: field.rawValue, before: before, after: after))
        }
    }

    private func repair(_ stated: StatedTexts, _ plan: inout Plan) {
        let repairs = Mojibake.repairs(
            of: stated.texts.filter { !$0.value.hasSeveralValues }.mapValues(\.text))
        for field in StatedTexts.fields {
            guard let text = repairs[field], let path = TagEdit.text(field) else { continue }
            plan.change(.mojibake, field, stated.texts[field]?.text, Self.trimmed(text)) {
                $0[keyPath: path] = .set(text)
            }
        }
    }

    private func trim(_ stated: StatedTexts, _ plan: inout Plan) {
        for field in StatedTexts.fields {
            // A truncated text is not known in full; several values would become one.
            guard let text = stated.texts[field], !text.hasSeveralValues,
                text.text.utf8.count < TagEdit.maximumTextBytes, let path = TagEdit.text(field),
                plan.edit[keyPath: path].isLeft
            else { continue }
            let trimmed = Self.trimmed(text.text)
            guard trimmed.unicodeScalars.count != text.text.unicodeScalars.count else { continue }
            plan.change(.trimWhiteSpace, field, text.text, trimmed.isEmpty ? nil : trimmed) {
                $0[keyPath: path] = trimmed.isEmpty ? .remove : .set(trimmed)
            }
        }
    }

    private func unite(_ track: CatalogueTrack, _ plan: inout Plan) throws {
        guard let opinion = try opinion(on: track) else { return }
        if fixes.contains(.splitCompilations), let artist = opinion.unitedArtist {
            set(
                .splitCompilations, albumArtist: artist, isCompilation: opinion.isCompilation, track, &plan)
        } else if fixes.contains(.missingAlbumArtist), plan.tags.albumArtist == nil,
            let artist = opinion.missingArtist
        {
            set(
                .missingAlbumArtist, albumArtist: artist,
                isCompilation: opinion.missingIsCompilation || plan.tags.isCompilation, track, &plan)
        }
    }

    private func set(
        _ fix: TagFix, albumArtist: String, isCompilation: Bool, _ track: CatalogueTrack, _ plan: inout Plan
    ) {
        // The library has the names from before this plan repaired them.
        var artist = albumArtist
        if artist == track.tags.artist, let own = plan.tags.artist { artist = own }
        if artist == track.tags.albumArtist, let own = plan.tags.albumArtist { artist = own }
        if plan.tags.albumArtist != artist {
            plan.change(fix, .albumArtist, plan.tags.albumArtist, artist) { $0.albumArtist = .set(artist) }
        }
        if plan.tags.isCompilation != isCompilation {
            plan.change(fix, .isCompilation, "\(plan.tags.isCompilation)", "\(isCompilation)") {
                $0.isCompilation = .set(isCompilation)
            }
        }
    }

    /// Copies the ID3v1 values into the edit, so that they are written to the new tag.
    private func carryOver(_ track: CatalogueTrack, _ plan: inout Plan) {
        let edit = plan.edit.completed(by: plan.tags)
        guard !edit.isEmpty, let checked = try? edit.checked() else { return }
        plan.edit = checked
        let container = AudioFormat(fileName: track.path.bytes)?.tagContainer ?? .mpeg
        plan.changes.append(
            TagFixChange(
                fix: .id3v1ToID3v2, field: "tags", before: "ID3v1",
                after: container.writtenKind == .id3v2 ? "ID3v1 and ID3v2.4" : "ID3v1 and Vorbis"))
    }

    private func opinion(on track: CatalogueTrack) throws -> AlbumArtistSuggestion? {
        guard let album = track.tags.album else { return nil }
        let key = AlbumKey(
            folder: AlbumGrouping.albumFolder(track.path), album: AlbumGrouping.folded(album))
        if let known = opinions[key] { return known }
        if opinions.count >= Self.capacity { opinions.removeAll(keepingCapacity: true) }
        let opinion = AlbumArtistSuggestion(tracks: try library.companions(of: track).map(\.tags))
        opinions[key] = opinion
        return opinion
    }

    private func year(ofAlbum id: Int) throws -> Int? {
        if let known = years[id] { return known }
        if years.count >= Self.capacity { years.removeAll(keepingCapacity: true) }
        let year = AlbumArtistSuggestion.year(of: try library.tracks(albumID: id).map(\.tags))
        years[id] = .some(year)
        return year
    }

    private static func trimmed(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

extension TagEdit {
    /// The key path of a text field of the edit; nil for other fields.
    static func text(_ field: TagField) -> WritableKeyPath<TagEdit, TagChange<String>>? {
        switch field {
        case .title: \.title
        case .artist: \.artist
        case .album: \.album
        case .albumArtist: \.albumArtist
        case .genre: \.genre
        case .composer: \.composer
        case .comment: \.comment
        default: nil
        }
    }
}
