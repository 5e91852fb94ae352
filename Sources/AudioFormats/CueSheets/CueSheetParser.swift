/// Reads the text of a cue sheet line by line: the commands of CDRWIN's user guide, and `REM` entries that rippers write.
///
/// Unknown commands are ignored. Time and memory are linear in the length of the text.
struct CueSheetParser {
    /// The sheet so far.
    private(set) var sheet = CueSheet()
    private var lineNumber = 0

    /// Reads a line.
    /// - Throws: `malformed` if a command has invalid values.
    mutating func read(_ line: Substring) throws(CueSheetError) {
        lineNumber += 1
        var words = CueLine(line)
        guard let command = words.next()?.uppercased() else { return }
        switch command {
        case "FILE":
            guard let name = words.next() else { throw invalid("FILE has no name") }
            sheet.files.append(name)
        case "TRACK": try startTrack(&words)
        case "INDEX": try index(&words)
        case "TITLE": set(\.title, words.rest())
        case "PERFORMER": set(\.performer, words.rest())
        case "SONGWRITER": set(\.songwriter, words.rest())
        case "ISRC": change { $0.isrc = words.next() }
        case "FLAGS":
            while let flag = words.next() {
                if flag.uppercased() == "PRE" { change { $0.hasPreEmphasis = true } }
            }
        case "REM":
            guard let key = words.next()?.uppercased(), let value = words.rest() else { return }
            changeTexts { $0.remarks[key] = value }
        default: break
        }
    }

    private mutating func startTrack(_ words: inout CueLine) throws(CueSheetError) {
        guard let number = words.next().flatMap(Self.number), 1...CueSheet.largestNumber ~= number else {
            throw invalid("TRACK has no number from 1 to \(CueSheet.largestNumber)")
        }
        guard !sheet.files.isEmpty else { throw invalid("TRACK precedes FILE") }
        guard sheet.tracks.count < CueSheet.largestNumber else {
            throw invalid("there are more than \(CueSheet.largestNumber) tracks")
        }
        let isAudio = words.next()?.uppercased() == "AUDIO"
        sheet.tracks.append(CueSheet.Track(number: number, isAudio: isAudio, file: sheet.files.count - 1))
    }

    private mutating func index(_ words: inout CueLine) throws(CueSheetError) {
        guard let number = words.next().flatMap(Self.number), let time = words.next().flatMap(Self.time)
        else {
            throw invalid("INDEX needs a number and a time of the form MM:SS:FF")
        }
        guard !sheet.tracks.isEmpty else { throw invalid("INDEX precedes TRACK") }
        switch number {
        case 0: change { $0.pause = .discFrames(time) }
        case 1:
            let file = sheet.files.count - 1
            change { track in
                track.start = .discFrames(time)
                track.file = file
            }
        default: break
        }
    }

    // MARK: - Values

    private mutating func set(_ field: WritableKeyPath<CueSheet.Texts, String?>, _ text: String?) {
        changeTexts { $0[keyPath: field] = text }
    }

    /// Changes the texts of the last track, or those of the album before the first one.
    private mutating func changeTexts(_ body: (inout CueSheet.Texts) -> Void) {
        if sheet.tracks.isEmpty {
            body(&sheet.texts)
        } else {
            body(&sheet.tracks[sheet.tracks.count - 1].texts)
        }
    }

    private mutating func change(_ body: (inout CueSheet.Track) -> Void) {
        guard !sheet.tracks.isEmpty else { return }
        body(&sheet.tracks[sheet.tracks.count - 1])
    }

    private static func number(_ text: String) -> Int? {
        guard (1...7).contains(text.utf8.count), text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
            return nil
        }
        return Int(text)
    }

    /// Reads minutes, seconds and frames; minutes may exceed those of a disc.
    private static func time(_ text: String) -> Int? {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false).map { number(String($0)) }
        guard fields.count == 3, let minutes = fields[0], let seconds = fields[1], let frames = fields[2],
            seconds < 60, frames < CueSheet.Position.discFramesPerSecond
        else { return nil }
        return (minutes * 60 + seconds) * CueSheet.Position.discFramesPerSecond + frames
    }

    private func invalid(_ problem: String) -> CueSheetError {
        CueSheetError(.malformed, "line \(lineNumber) of the cue sheet is invalid: \(problem)")
    }
}

/// The words of a line: separated by white space, in quotation marks if they contain some.
private struct CueLine {
    private var text: Substring

    init(_ text: Substring) { self.text = text }

    /// Returns the next word without its quotation marks; nil at the end of the line.
    mutating func next() -> String? {
        trim()
        guard let first = text.first else { return nil }
        if first == "\"" {
            text.removeFirst()
            let word = text.prefix { $0 != "\"" }
            text = text.dropFirst(word.count + 1)
            return String(word)
        }
        let word = text.prefix { !$0.isWhitespace }
        text = text.dropFirst(word.count)
        return String(word)
    }

    /// Returns the rest of the line without the quotation marks around it, if any; nil if it is empty. Quotation marks inside are kept:
    /// rippers do not escape them.
    mutating func rest() -> String? {
        trim()
        while text.last?.isWhitespace == true { text.removeLast() }
        if text.first == "\"" {
            text.removeFirst()
            if text.last == "\"" { text.removeLast() }
        }
        let kept = String(
            String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.generalCategory != .control })
        )
        return kept.isEmpty ? nil : kept
    }

    private mutating func trim() { text = text.drop(while: \.isWhitespace) }
}

extension CueSheet {
    /// Reads the text of a sheet.
    /// - Throws: `malformed` with the number of the line that is invalid, or if there are no tracks.
    package init(text: String) throws(CueSheetError) {
        var parser = CueSheetParser()
        for line in text.split(whereSeparator: \.isNewline) { try parser.read(line) }
        self = parser.sheet
        guard !tracks.isEmpty else { throw CueSheetError(.malformed, "the cue sheet has no tracks") }
    }
}
