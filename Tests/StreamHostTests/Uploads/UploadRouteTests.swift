import Companion
import Foundation
import HostEditing
import HTTPServer
import LibraryStore
import MusicFiles
import MusicShared
import Testing
import TestSupport

@testable import StreamHost

/// Uploads and the trash, with curl and Python's standard library.
@Suite("Upload routes", .timeLimit(.minutes(30)))
struct UploadRouteTests {
    private static func track(_ seed: UInt64, _ tags: String...) throws -> [UInt8] {
        try Encoders.lame(PCM.music(frameCount: 3 * 44_100, seed: seed), ["-b", "96"] + tags)
    }

    private static func report(_ answer: ServedLibrary.Answer) throws -> UploadReport {
        try JSONDecoder().decode(UploadReport.self, from: Data(answer.body))
    }

    private static let base = Result { [(name: "there.mp3", bytes: try track(50))] }

    @Test("Tracks uploaded with a form are available at once and analysed later")
    func form() async throws {
        try await ServedLibrary.with(Self.base.get()) { served in
            let folder = try TemporaryDirectory()
            let one = try folder.write(try Self.track(51, "--tt", "One", "--tn", "1"), as: "one.mp3")
            let two = try folder.write(try Self.track(52, "--tt", "Two", "--tn", "2"), as: "two.mp3")
            let bad = try folder.write(Array("no music".utf8), as: "bad.mp3")
            let options = [
                "-F", "album=The Älbum", "-F", "album_artist=Band", "-F", "files=@\(one)", "-F",
                "files=@\(two)",
                "-F", "x=@\(bad)", "-F", "year=",
            ]
            let answer = try await served.get(Routes.upload, options)
            let report = try Self.report(answer)
            #expect(answer.status == 200 && report.error == nil)
            #expect(report.files.map(\.status) == [.stored, .stored, .refused])
            #expect(report.files.map(\.fileName) == ["one.mp3", "two.mp3", "bad.mp3"])
            #expect(report.files[0].relativePath == "Band/The Älbum/01 One.mp3")
            #expect(report.files[2].code == "no_audio")
            let id = try #require(report.files[0].trackID)
            let item = try await served.get("/api/tracks/\(id)")
            #expect(item.status == 200)
            #expect(try item.json("album") as? String == "The Älbum")
            try await until { try await served.get("/tracks/\(id)/analysis").status == 200 }
            // Upload the same files again: nothing changes.
            let again = try Self.report(try await served.get(Routes.upload, options))
            #expect(again.files.map(\.status) == [.duplicate, .duplicate, .refused])
            #expect(again.files[0].trackID == id)
            let alone = try await served.get(Routes.upload, ["-F", "file=@\(bad)"])
            #expect(alone.status == 422)
            #expect(try alone.json("error", "code") as? String == "no_audio")
        }
    }

    @Test("A file sent as the request body takes its name and tags from the query")
    func raw() async throws {
        try await ServedLibrary.with(Self.base.get()) { served in
            let folder = try TemporaryDirectory()
            let path = try folder.write(try Self.track(53), as: "one.mp3")
            let answer = try await served.get(
                "\(Routes.upload)?filename=a%2F..%2Fsong.mp3&artist=S%C3%B6me&track_number=4",
                ["--data-binary", "@\(path)", "-H", "Content-Type: audio/mpeg"])
            #expect(
                try Self.report(answer).files.first?.relativePath == "Söme/Unknown Album/04 song.mp3")
            let zip = try folder.write([], as: "z.zip")
            try await ProcessRun.aside(
                "python3",
                [
                    "-c", "import sys,zipfile; zipfile.ZipFile(sys.argv[1],'w').write(sys.argv[2],'in.mp3')",
                    zip, path,
                ])
            let zipped = try await served.get(
                "\(Routes.upload)?filename=z.zip",
                ["--data-binary", "@\(zip)", "-H", "Content-Type: application/zip"])
            #expect(try Self.report(zipped).files.first?.status == .duplicate)
            #expect(try Self.report(zipped).files.first?.fileName == "z.zip/in.mp3")
        }
    }

    @Test("A file can be uploaded in parts; invalid parts are rejected with the offset")
    func parts() async throws {
        try await ServedLibrary.with(Self.base.get()) { served in
            let folder = try TemporaryDirectory()
            let bytes = try Self.track(54)
            let size = bytes.count
            func open(_ json: String) async throws -> ServedLibrary.Answer {
                try await served.get(
                    Routes.resumableUploads, ["-H", "Content-Type: application/json", "-d", json])
            }
            let opened = try await open(
                "{\"file_name\":\"p.mp3\",\"byte_count\":\(size),\"fields\":{\"title\":\"Pårts\"}}")
            #expect(opened.status == 201)
            let location = try #require(opened.field("Location"))
            func put(_ range: Range<Int>, _ field: String) async throws -> ServedLibrary.Answer {
                let part = try folder.write(bytes[range], as: "part")
                return try await served.get(
                    location, ["-X", "PUT", "--data-binary", "@\(part)", "-H", "Content-Range: \(field)"])
            }
            #expect(try await put(0..<1000, "bytes 0-999/\(size)").field("Upload-Offset") == "1000")
            #expect(try await put(0..<1000, "bytes 0-999/\(size)").status == 409)
            #expect(try await put(1000..<2000, "bytes 1000-1998/\(size)").status == 416)
            #expect(try await put(1000..<2000, "bytes 1000-1999/*").status == 416)
            #expect(try await put(1000..<2000, "bytes 1000-1999/5").status == 416)
            let head = try await served.get(location, ["-I"])
            #expect(head.status == 200 && head.field("Upload-Offset") == "1000")
            // A client disconnects in the middle of a part: the received bytes are kept.
            let gone = """
                import socket, sys
                from urllib.parse import urlsplit
                where = urlsplit(sys.argv[1]); s = socket.create_connection((where.hostname, where.port))
                data = open(sys.argv[4], 'rb').read()[1000:5000]
                s.sendall(f'PUT {sys.argv[2]} HTTP/1.1\\r\\nHost: x\\r\\n{sys.argv[3]}\\r\\nContent-Length: 9000\\r\\n'
                          f'Content-Range: bytes 1000-9999/{sys.argv[5]}\\r\\n\\r\\n'.encode() + data)
                s.shutdown(socket.SHUT_WR); print(s.recv(1000))
                """
            let whole = try folder.write(bytes, as: "whole")
            try await ProcessRun.aside(
                "python3", ["-c", gone, served.base, location, served.authorization, whole, "\(size)"])
            try await until { try await served.get(location).json("offset") as? Int == 5000 }
            let last = try await put(5000..<size, "bytes 5000-\(size - 1)/\(size)")
            #expect(last.status == 200, "\(last.text)")
            let upload = try JSONDecoder().decode(ResumableUpload.self, from: Data(last.body))
            #expect(upload.report?.files.first?.relativePath == "Unknown Artist/Unknown Album/Pårts.mp3")
            #expect(try await put(0..<0, "bytes */\(size)").status == 200)
            #expect(try await served.get(location, ["-X", "DELETE"]).status == 204)
            #expect(try await served.get(location).status == 404)
            for (json, status) in [
                ("{\"file_name\":\"\",\"byte_count\":5}", 422),
                ("{\"file_name\":\"a\",\"byte_count\":0}", 422), ("{\"byte_count\":5}", 400),
                ("{\"file_name\":\"a\",\"byte_count\":5,\"fields\":{\"nme\":\"x\"}}", 400),
                ("{\"file_name\":\"a\",\"byte_count\":5,\"fields\":{\"year\":\"x\"}}", 422),
            ] {
                #expect(try await open(json).status == status, "\(json)")
            }
        }
    }

    @Test("A track can be moved to the trash and restored")
    func trash() async throws {
        try await ServedLibrary.with(Self.base.get()) { served in
            let id = try served.id("there.mp3")
            let removed = try await served.get("/tracks/\(id)", ["-X", "DELETE"])
            #expect(removed.status == 200)
            #expect(!FileManager.default.fileExists(atPath: served.file("there.mp3")))
            let trashID = try #require(try removed.json("trash_id") as? String)
            #expect(try await served.get("/tracks/\(id)", ["-X", "DELETE"]).status == 404)
            #expect(try await served.get("/api/files/\(id)/stream").status == 404)
            let list = try await served.get(Routes.trash)
            #expect(try list.json("total") as? Int == 1)
            let back = try await served.get("/trash/\(trashID)/restore", ["-X", "POST"])
            #expect(try back.json("track_id") as? Int == id)
            #expect(try await served.get("/api/files/\(id)/stream").status == 200)
            #expect(try await served.get("/trash/\(trashID)/restore", ["-X", "POST"]).status == 404)
            _ = try await served.get("/tracks/\(id)", ["-X", "DELETE"])
            #expect(try await served.get(Routes.trash, ["-X", "DELETE"]).status == 204)
            #expect(try await served.get(Routes.trash).json("total") as? Int == 0)
            #expect(try await served.get("/tracks/999999", ["-X", "DELETE"]).status == 404)
        }
    }

    @Test("Invalid uploads are rejected before or while they are sent")
    func refusals() async throws {
        try await ServedLibrary.with(
            Self.base.get(),
            settings: {
                $0.uploads.limits.requestBytes = 200_000
                $0.uploads.limits.files = 3
            }
        ) { served in
            let folder = try TemporaryDirectory()
            let small = try folder.write([UInt8](repeating: 1, count: 1000), as: "small.mp3")
            let large = try folder.write([UInt8](repeating: 1, count: 300_000), as: "large.mp3")
            let type = "Content-Type: multipart/form-data; boundary=x"
            func post(_ options: String...) async throws -> (Int, String?) {
                let answer = try await served.get(Routes.upload, options)
                return (answer.status, try answer.json("error", "code") as? String)
            }
            #expect(try await served.get(Routes.upload, ["-F", "f=@\(small)"], key: "").status == 401)
            #expect(try await post("-F", "f=@\(large)") == (413, "content_too_large"))
            #expect(
                try await post("-F", "f=@\(large)", "-H", "Transfer-Encoding: chunked") == (
                    413, "content_too_large"
                ))
            #expect(
                try await post(
                    "-F", "a=@\(small)", "-F", "b=@\(small)", "-F", "c=@\(small)", "-F", "d=@\(small)")
                    == (413, "too_many_files"))
            #expect(try await post("-F", "title=alone") == (400, "missing_field"))
            #expect(try await post("-F", "f=@\(small)", "-F", "titel=x") == (400, "unknown_field"))
            #expect(try await post("-F", "f=@\(small)", "-F", "year=never") == (422, "invalid_field"))
            #expect(try await post("-F", "f=@\(small)", "-F", "year=99999") == (422, "invalid_field"))
            #expect(
                try await post("-F", "f=@\(small)", "-F", "g=@\(small)", "-F", "title=Both") == (
                    409, "one_file_only"
                ))
            #expect(try await post("-F", "f=@\(small)", "-F", "cover=@\(small)") == (422, "invalid_field"))
            #expect(try await post("-d", "text", "-H", "Content-Type: text/plain") == (415, "form_expected"))
            #expect(try await post("-d", "--x\r\nnothing", "-H", type) == (400, "malformed_multipart"))
            #expect(try await post("-d", "x", "-H", "Content-Type: audio/mpeg") == (422, "no_audio"))
            // Announced as larger than any disk; no content is sent.
            let announce = """
                import http.client, sys
                from urllib.parse import urlsplit
                c = http.client.HTTPConnection(urlsplit(sys.argv[1]).netloc, timeout=60)
                c.putrequest('POST', '/upload-track?filename=a.mp3')
                for line in sys.argv[2:]: c.putheader(*line.split(': ', 1))
                c.endheaders(); print(c.getresponse().status)
                """
            let early = try await ProcessRun.aside(
                "python3",
                [
                    "-c", announce, served.base, served.authorization, "Content-Type: audio/mpeg",
                    "Content-Length: 9000000000000",
                ])
            #expect(early.text == "413\n")
            let left = try FileManager.default.contentsOfDirectory(atPath: "\(served.data.path)/uploads")
            #expect(left.isEmpty)
        }
    }

    @Test(
        "Uploads above the concurrency limit are asked to retry, and no slot is leaked"
    )
    func slots() async throws {
        try await ServedLibrary.with(Self.base.get(), settings: { $0.uploads.concurrentUploads = 1 }) {
            served in
            let folder = try TemporaryDirectory()
            let path = try folder.write(try Self.track(55), as: "a.mp3")
            // Sends an upload that never ends. If the slot was taken, the answer is 503 and it tries again.
            let slow = """
                import os, select, socket, sys
                from urllib.parse import urlsplit
                where = urlsplit(sys.argv[1])
                while not os.path.exists(sys.argv[4]):
                    s = socket.create_connection((where.hostname, where.port))
                    s.sendall(f'POST /upload-track?filename=a.mp3 HTTP/1.1\\r\\nHost: x\\r\\n{sys.argv[2]}\\r\\n'
                              'Content-Type: audio/mpeg\\r\\nContent-Length: 9000\\r\\n\\r\\nabc'.encode())
                    open(sys.argv[3], 'w').close()
                    while not os.path.exists(sys.argv[4]) and not select.select([s], [], [], 0.02)[0]: pass
                    s.close()
                """
            let (begun, end) = (folder.file("begun"), folder.file("end"))
            async let client = ProcessRun.aside(
                "timeout", ["900", "python3", "-c", slow, served.base, served.authorization, begun, end])
            try await until { FileManager.default.fileExists(atPath: begun) }
            // Junk, so that an early response does no harm.
            let junk = ["-F", "file=@/dev/null;filename=a"]
            try await until { try await served.get(Routes.upload, junk).status == 503 }
            try folder.write([], as: "end")
            _ = try await client
            try await until { try await served.get(Routes.upload, ["-F", "file=@\(path)"]).status == 200 }
        }
    }
}
