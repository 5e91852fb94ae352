import Companion
import Foundation
import HTTPServer
import MusicFiles
import MusicShared
import Testing
import TestSupport

@testable import StreamHost

/// Paths and names that lead or seem to lead out of the music folder.
@Suite("Path security", .timeLimit(.minutes(30)))
struct PathSecurityTests {
    /// Percent-encoded paths, as sent after `relative_path=`.
    private static let targets = [
        "../secret.mp3", "..%2Fsecret.mp3", "..%252Fsecret.mp3", "%2e%2e/secret.mp3",
        "%252e%252e%252fsecret.mp3",
        "..%5Csecret.mp3", "..\\secret.mp3", "inside/../../secret.mp3", "./../secret.mp3", "/etc/passwd",
        "%2Fetc%2Fpasswd",
        "inside.mp3%00", "..%2Fsecret.mp3%00.mp3", "%00", "link.mp3", "linked/secret.mp3",
        "..%c0%afsecret.mp3",
        "%ff%fe", "....//secret.mp3", ".trash/x/secret.mp3", "%EF%BF%BD2E%EF%BF%BD2E/secret.mp3",
        "~/secret.mp3",
        "file:///etc/passwd", "inside.mp3/../../secret.mp3", "//secret.mp3", ".",
    ]

    private static func withSecret(_ body: (ServedLibrary, String) async throws -> Void) async throws {
        let inside = try Encoders.lame(PCM.music(frameCount: 2 * 44_100, seed: 60), ["-b", "64"])
        try await ServedLibrary.with([(name: "inside.mp3", bytes: inside)]) { served in
            // A folder next to the music folder, and links to it from within.
            let outside = served.directory.file("outside")
            try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
            let secret = try Encoders.lame(PCM.music(frameCount: 2 * 44_100, seed: 61), ["--tt", "SECRET"])
            for path in ["\(outside)/secret.mp3", served.directory.file("secret.mp3")] {
                try Data(secret).write(to: URL(filePath: path))
            }
            try FileManager.default.createSymbolicLink(
                atPath: served.file("link.mp3"), withDestinationPath: "\(outside)/secret.mp3")
            try FileManager.default.createSymbolicLink(
                atPath: served.file("linked"), withDestinationPath: outside)
            try await body(served, outside)
        }
    }

    @Test("No requested path returns content from outside")
    func reading() async throws {
        try await Self.withSecret { served, _ in
            for target in Self.targets {
                for route in [
                    "\(Routes.profile)?relative_path=", "\(Routes.frames)?relative_path=",
                    "\(Routes.bulkProfiles)?paths=",
                ] {
                    let answer = try await served.get(route + target, ["--path-as-is", "-g"])
                    #expect(
                        [400, 404].contains(answer.status) || route.contains("bulk"),
                        "\(route)\(target): \(answer.status)")
                    #expect(!answer.text.contains("SECRET") && !answer.text.contains("root:"), "\(target)")
                    if route.contains("bulk"), answer.status == 200 {
                        #expect((try answer.json("pending") as? [Any])?.isEmpty == true, "\(target)")
                        #expect((try answer.json("profiles") as? [String: Any])?.isEmpty == true, "\(target)")
                    }
                }
                // As part of the path itself.
                for route in [
                    "/tracks/\(target)", "/trash/\(target)/restore", "/upload-track/resumable/\(target)",
                    "/\(target)",
                ] {
                    let answer = try await served.get(route, ["--path-as-is", "-g"])
                    #expect([400, 404, 405].contains(answer.status), "\(route): \(answer.status)")
                }
            }
        }
    }

    @Test("No uploaded file name leads out of the music folder")
    func writing() async throws {
        try await Self.withSecret { served, outside in
            let before = try Set(FileManager.default.contentsOfDirectory(atPath: served.directory.path))
            let folder = try TemporaryDirectory()
            let names = [
                "../../escaped.mp3", "/tmp/escaped.mp3", "..\\..\\escaped.mp3", "linked/escaped.mp3",
                "%2e%2e%2fescaped.mp3",
                ".trash/escaped.mp3", "a\u{0}b.mp3", "a\nb\r\n\r\nc.mp3", "\u{1B}]0;x\u{7}.mp3", "", ".",
                "..", ".mp3",
            ]
            let script = """
                import http.client, io, json, sys, zipfile
                from urllib.parse import quote, urlsplit
                base, key, folder = sys.argv[1:4]; names = json.load(open(folder + '/names.json'))
                def ask(path, body, type):
                    c = http.client.HTTPConnection(urlsplit(base).netloc, timeout=120)
                    c.request('POST', path, body, {'Authorization': key, 'Content-Type': type})
                    answer = c.getresponse(); data = answer.read(); c.close()
                    return answer.status, json.loads(data)
                for number, name in enumerate(names):
                    track = open(f'{folder}/{number}.mp3', 'rb').read()
                    escaped = name.replace(chr(34), '%22')
                    form = (b'--x\\r\\nContent-Disposition: form-data; name="file"; filename="' + escaped.encode() + b'"\\r\\n\\r\\n'
                            + track + b'\\r\\n--x--\\r\\n')
                    results = [ask('/upload-track', form, 'multipart/form-data; boundary=x'),
                               ask('/upload-track?filename=' + quote(name), track, 'audio/mpeg')]
                    zipped = io.BytesIO()
                    with zipfile.ZipFile(zipped, 'w') as z:
                        info = zipfile.ZipInfo('x'); info.filename = name or 'x.mp3'; z.writestr(info, track)
                    results.append(ask('/upload-track?filename=z.zip', zipped.getvalue(), 'application/zip'))
                    for field in ('title', 'artist', 'album', 'album_artist'):
                        results.append(ask(f'/upload-track?filename=t.mp3&{field}=' + quote(name), track, 'audio/mpeg'))
                    for status, answer in results:
                        assert status in (200, 400, 422), (name, status, answer)
                        for file in answer.get('files', []):
                            path = file.get('relative_path', 'a')
                            assert not path.startswith(('/', '.')) and '..' not in path.split('/'), (name, answer)
                """
            for (number, _) in names.enumerated() {
                try folder.write(
                    try Encoders.lame(
                        PCM.music(frameCount: 44_100, seed: UInt64(70 + number)), ["-b", "64"]),
                    as: "\(number).mp3")
            }
            try folder.write(try JSONEncoder().encode(names), as: "names.json")
            let run = try await ProcessRun.aside(
                "python3",
                [
                    "-c", script, served.base, served.authorization.replacing("Authorization: ", with: ""),
                    folder.path,
                ],
                mustSucceed: false)
            #expect(run.status == 0, "\(String(decoding: run.errors, as: UTF8.self))")
            #expect(try Set(FileManager.default.contentsOfDirectory(atPath: served.directory.path)) == before)
            #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == ["secret.mp3"])
            #expect(!FileManager.default.fileExists(atPath: "/tmp/escaped.mp3"))
            let top = try FileManager.default.contentsOfDirectory(atPath: served.music.displayPath)
            #expect(top.allSatisfy { !$0.hasPrefix(".") }, "\(top)")
        }
    }
}
