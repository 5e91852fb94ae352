package import Analyzer
package import CueSheets
package import LibraryStore
internal import MusicShared

/// The cue sheets that may divide a file, and the choice between them.
///
/// A sheet in the folder of the file goes first, since it can be edited; then the file's comment CUESHEET; then its CUESHEET block, which has no
/// titles.
package struct CueSheetChoice: Sendable {
    /// The sheets in order, or why they cannot be read.
    private let candidates: [Result<CueSheet, CueSheetError>]

    /// Whether there are no sheets.
    package var isEmpty: Bool { candidates.isEmpty }

    /// Reads the sheets of a file.
    /// - Parameters:
    ///   - path: the file.
    ///   - sheets: the sheets in the same folder.
    ///   - source: where they are.
    ///   - embedded: the sheets within the file.
    package init(
        for path: RelativePath, _ sheets: FolderCueSheets, in source: some CueSheetSource,
        _ embedded: EmbeddedCueSheets
    ) {
        var found: [Result<CueSheet, CueSheetError>] = []
        if let sheet = Self.sheet(for: path, sheets, in: source) { found.append(sheet) }
        if let text = embedded.comment {
            found.append(Result { () throws(CueSheetError) in try CueSheet(text: text) })
        }
        if let block = embedded.block {
            found.append(Result { () throws(CueSheetError) in try CueSheet(flacBlock: block) })
        }
        candidates = found
    }

    /// The chosen sheet and its parts, or the reason why none is used.
    package enum Outcome: Sendable {
        case divided(CueSheet, [CueSheet.Part])
        case whole(remark: String?)
    }

    /// Chooses the first sheet that divides the audio.
    package func division(of audio: DivisibleAudio) -> Outcome {
        guard AudioPart.formats.contains(audio.format) else {
            return .whole(
                remark: isEmpty
                    ? nil
                    : "cue sheets are used for FLAC and WAV files only, and this is \(audio.format.name)")
        }
        var remark: String?
        for candidate in candidates {
            do throws(CueSheetError) {
                let sheet = try candidate.get()
                return .divided(
                    sheet, try sheet.division(sampleRate: audio.sampleRateHz, sampleCount: audio.sampleCount))
            } catch {
                remark = remark ?? error.message
            }
        }
        return .whole(remark: remark)
    }

    // MARK: - Sheets in the folder

    /// Returns the sheet that names a file: by its name, by its name with another extension, since a WAV file is often compressed later,
    /// or a sheet with the file's name if the file that it names does not exist.
    private static func sheet(
        for path: RelativePath, _ sheets: FolderCueSheets, in source: some CueSheetSource
    ) -> Result<CueSheet, CueSheetError>? {
        let own = path.name.lowercased()
        var best: (rank: Int, sheet: Result<CueSheet, CueSheetError>)?
        for file in sheets.files {
            let name = RelativePath(bytes: file.name)?.name.lowercased() ?? ""
            let isNamesake = name == own + ".cue" || name == stem(own) + ".cue"
            guard let sheet = read(file, beside: path, in: source) else { continue }
            let rank: Int?
            switch sheet {
            case .success(let sheet): rank = self.rank(of: sheet, own, isNamesake: isNamesake, path, source)
            case .failure: rank = isNamesake ? 3 : nil
            }
            if let rank, best.map({ rank < $0.rank }) ?? true { best = (rank, sheet) }
        }
        return best?.sheet
    }

    private static func rank(
        of sheet: CueSheet, _ own: String, isNamesake: Bool, _ path: RelativePath,
        _ source: some CueSheetSource
    ) -> Int? {
        let names = sheet.files.map { fileName($0).lowercased() }
        if names.contains(own) { return 0 }
        if names.contains(where: { stem($0) == stem(own) }) { return 1 }
        guard isNamesake else { return nil }
        let present = Set(source.divisibleNames(beside: path).map { stem($0.lowercased()) })
        return names.allSatisfy { !present.contains(stem($0)) } ? 2 : nil
    }

    private static func read(
        _ file: FolderCueSheets.File, beside path: RelativePath, in source: some CueSheetSource
    ) -> Result<CueSheet, CueSheetError>? {
        guard file.state.size <= FolderCueSheets.largestSheet,
            let bytes = source.contents(of: file, beside: path)
        else { return nil }
        return Result { () throws(CueSheetError) in try CueSheet(text: LyricsText.decoded(bytes)) }
    }

    /// The name without the folders that it may be stated with, of any system.
    private static func fileName(_ path: String) -> String {
        String(path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? "")
    }

    private static func stem(_ name: String) -> String {
        name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    }
}
