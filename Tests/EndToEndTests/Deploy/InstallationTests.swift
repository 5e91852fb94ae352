import Foundation
import TestSupport
import Testing

/// An installed copy, without sources or build products.
@Suite("Installation", .timeLimit(.minutes(30)))
struct InstallationTests {
    private static let built = URL(filePath: BuiltProgram.path("stream-host")).deletingLastPathComponent()
        .path(percentEncoded: false)

    /// Installs into a prefix with a space in its name.
    private static func install(into directory: TemporaryDirectory, programs: String = built) async throws
        -> ProcessRun
    {
        try await ProcessRun.aside(
            "make",
            [
                "-s", "-C", PythonTools.root, "install", "PREFIX=/opt/my host",
                "DESTDIR=\(directory.file("root"))", "PROGRAMS=\(programs)",
            ], mustSucceed: false)
    }

    /// Returns the relative paths of all files in a folder.
    private static func files(in folder: String) throws -> [String] {
        try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }.filter {
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: "\(folder)/\($0)", isDirectory: &isFolder)
                && !isFolder.boolValue
        }
    }

    @Test("An installed host serves the whole page from any working directory", arguments: [false, true])
    func page(byLink: Bool) async throws {
        let directory = try TemporaryDirectory()
        #expect(try await Self.install(into: directory).status == 0)
        let prefix = directory.file("root/opt/my host")
        // Files of an older version are removed by the next installation.
        try directory.write([1], as: "root/opt/my host/share/audio-companion/player/hashed/older.js")
        let again = try await Self.install(into: directory)
        #expect(again.status == 0, "\(String(decoding: again.errors, as: UTF8.self))")
        #expect(
            !FileManager.default.fileExists(atPath: "\(prefix)/share/audio-companion/player/hashed/older.js")
        )

        var program = "\(prefix)/bin/stream-host"
        if byLink {
            let link = directory.file("host")
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: program)
            program = link
        }
        try FileManager.default.createDirectory(
            atPath: directory.file("music"), withIntermediateDirectories: true)
        let host = try RunningProgram(
            [
                program, "serve", "--music", directory.file("music"), "--data", directory.file("data"),
                "--port", "0",
            ], directory: "/")
        try #require(host.waits(120) { host.output.contains("key") || !host.isRunning })
        let base = String(try #require(host.output.firstMatch(of: /http:\/\/[0-9.:]+/), "\(host.errors)").0)

        let index = try await ProcessRun.aside("curl", ["-sSf", "-m", "60", "\(base)/"]).text
        let site = directory.file("site")
        try await ProcessRun.aside("\(PythonTools.root)/scripts/build-page", [site])
        let files = try Self.files(in: site)
        let scripts = index.matches(of: /<script type="module" src="\/player\/([^"]+)">/).map { String($0.1) }
        #expect(scripts.count == 1 && Set(scripts).isSubset(of: files))
        // All at once, each to its own file: the responses match what the sources give.
        let got = directory.file("got")
        try FileManager.default.createDirectory(atPath: got, withIntermediateDirectories: true)
        let wanted = files.enumerated().flatMap { number, file in
            ["-o", "\(got)/\(number)", "\(base)/player/\(file)"]
        }
        let run = try await ProcessRun.aside(
            "curl", ["-sS", "-m", "240", "-w", "%{http_code} %{content_type} %{url}\n"] + wanted)
        let answers = run.text.split(separator: "\n")
        #expect(answers.count == files.count)
        for answer in answers {
            let type = answer.hasSuffix(".js") ? "text/javascript; charset=utf-8" : ""
            #expect(answer.hasPrefix("200 \(type)"), "\(answer)")
        }
        for (number, file) in files.enumerated() {
            let source = try Data(contentsOf: URL(filePath: "\(site)/\(file)"))
            var answer = try Data(contentsOf: URL(filePath: "\(got)/\(number)"))
            if file == "service-worker.js" {
                // The host prepends the version of all files.
                let end = try #require(answer.firstIndex(of: UInt8(ascii: "\n")))
                #expect(String(decoding: answer[..<end], as: UTF8.self).hasPrefix("const VERSION = '"))
                answer = Data(answer[(end + 1)...])
            }
            #expect(answer == source, "\(file)")
        }
        host.signal(SIGTERM)
        #expect(try host.wait().status == 0)
    }

    @Test("Manual pages fit 80 columns", arguments: ["analyze-cli", "stream-host", "stream-player"])
    func manuals(program: String) async throws {
        let directory = try TemporaryDirectory()
        try await ProcessRun.aside("\(PythonTools.root)/scripts/make-manuals", [Self.built, directory.path])
        // Warns about words that are longer than a line.
        let page = try await ProcessRun.aside(
            "groff", ["-k", "-man", "-Tutf8", "-P-cbou", "-rLL=80n", directory.file("man/man1/\(program).1")])
        #expect(page.errors.isEmpty, "\(String(decoding: page.errors, as: UTF8.self))")
        #expect(page.text.contains("NAME") && page.text.contains(program))
    }

    @Test("If the programs are not built, nothing is installed, and the error says what to do")
    func notBuilt() async throws {
        let directory = try TemporaryDirectory()
        let run = try await Self.install(into: directory, programs: directory.path)
        #expect(run.status != 0 && String(decoding: run.errors, as: UTF8.self).contains("build it first"))
        #expect(!FileManager.default.fileExists(atPath: directory.file("root")))
    }
}
