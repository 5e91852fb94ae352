import Companion
import Foundation
import LibraryStore
import Testing

/// Comma-separated values according to RFC 4180.
@Suite("CSV table")
struct CSVTableTests {
    @Test(
        "Cells are quoted only if the format requires it",
        arguments: [
            ("plain", "plain"), ("a,b", "\"a,b\""), ("say \"x\"", "\"say \"\"x\"\"\""), ("a\nb", "\"a\nb\""),
            ("a\rb", "\"a\rb\""), ("a\r\nb", "\"a\r\nb\""), ("\"\u{301}", "\"\"\"\u{301}\""),
            (",\u{301}", "\",\u{301}\""),
            ("semi; colon", "semi; colon"), ("雪 🎵", "雪 🎵"), ("", ""),
        ])
    func quoting(title: String, cell: String) throws {
        let report = TrackReport([
            "relative_path": .text("p"), "audio_hash": .text("h"), "title": .text(title),
        ])
        let row = CSVTable.row(report)
        let expected = ",p,h,,\(cell),"
        #expect(Array(row.utf8.prefix(expected.utf8.count)) == Array(expected.utf8))
        #expect(row.utf8.suffix(2).elementsEqual([13, 10]))
    }

    @Test("Each row has as many cells as the header, with numbers as in JSON")
    func columns() throws {
        let report = TrackReport([
            "relative_path": .text("p"), "audio_hash": .text("h"), "integrated_lufs": .number(-14.25),
            "is_silent": .flag(false), "sample_count": .integer(123), "remarks": .texts(["one", "two"]),
        ])
        let names = CSVTable.header.split(separator: "\r\n")[0].split(separator: ",").map(String.init)
        let cells = CSVTable.row(report).split(separator: "\r\n")[0]
            .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        #expect(names.count == cells.count)
        let row = Dictionary(uniqueKeysWithValues: zip(names, cells))
        #expect(row["integrated_lufs"] == "-14.25")
        #expect(row["is_silent"] == "false")
        #expect(row["sample_count"] == "123")
        #expect(row["remarks"] == "one; two")
        #expect(row["bpm"] == "")
    }
}
