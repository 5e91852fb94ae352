import Foundation
import TestSupport
import Testing

/// Tag values are treated as data everywhere.
@Suite("Hostile tags of uploads", .timeLimit(.minutes(30)))
struct HostileUploadTests {
    private static let titles = [
        "<script>alert(1)</script>", "'; DROP TABLE tracks; --", "=HYPERLINK(\"http://x\")",
        "a\u{1B}[31mred\u{7}",
        "one\n#EXT-X-ENDLIST\nhttp://evil/x.mp3", "../../../up", "%s%n%x", "{\"error\":1}", "\u{202E}3pm.exe",
    ]

    /// Whether a text contains anything a terminal would interpret, apart from line breaks and tabs.
    private static func hasControls(_ text: String) -> Bool {
        text.unicodeScalars.contains {
            ($0.value < 0x20 && $0.value != 10 && $0.value != 9) || (0x7F...0x9F).contains($0.value)
        }
    }

    @Test(
        "Titles with markup, SQL, formulas, escapes and line breaks stay text in files, responses, lists and logs"
    )
    func titles() throws {
        let fixture = try MusicFixture()
        let host = try RunningHost(fixture)
        let folder = try TemporaryDirectory()
        for (number, title) in Self.titles.enumerated() {
            let path = try folder.write(
                MusicFixture.tag(title: title) + MadeMusic.pieces[number % 8].dropLast(number / 8),
                as: "\(number).mp3")
            let name = title.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let answer = try host.curl(
                "/upload-track?filename=\(name)", "--data-binary", "@\(path)", "-H",
                "Content-Type: audio/mpeg")
            let json = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any]
            #expect(json?["files"] is [Any], "\(answer)")
            #expect(!Self.hasControls(answer))
        }
        let list = try host.curl("/api/tracks?limit=500")
        #expect(!Self.hasControls(list))
        let page = try #require(try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [String: Any])
        let items = try #require(page["items"] as? [[String: Any]])
        #expect(items.count >= 8)
        for item in items {
            let path = try #require(item["relative_path"] as? String)
            #expect(path.hasPrefix("Unknown Artist/Unknown Album/") && path.split(separator: "/").count == 3)
            #expect(!Self.hasControls(path) && FileManager.default.fileExists(atPath: fixture.file(path)))
        }
        // Analysed by the host, or now.
        host.program.signal(SIGTERM)
        let run = try host.program.wait()
        for line in run.errorLines {
            #expect(
                !Self.hasControls(String(line)) && !line.hasPrefix("#EXT") && !line.hasPrefix("http"),
                "\(line)")
        }
        _ = try fixture.pass("--quiet")
        let again = try RunningHost(fixture, ["--quiet"])
        for item in items {
            let id = try #require(item["id"] as? Int)
            let playlist = try again.curl("/tracks/\(id)/stream.m3u8")
            #expect(
                !playlist.contains("evil") && playlist.components(separatedBy: "#EXT-X-ENDLIST").count == 2)
            let shown = try AnalyzeCLI.run(
                "show", "--data", fixture.data, item["relative_path"] as? String ?? "")
            #expect(shown.status == 0 && !shown.output.contains("\u{1B}[31mred"), "\(shown.errors)")
        }
        #expect(try fixture.databases.count("SELECT count(*) FROM tracks") == items.count)
        again.program.signal(SIGTERM)
        _ = try again.program.wait()
    }
}
