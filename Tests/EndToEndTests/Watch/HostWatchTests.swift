import Foundation
import TestSupport
import Testing

/// A host's handling of full disks, and of disks that are removed and come back.
@Suite("Host's watch", .serialized, .timeLimit(.minutes(15)))
struct HostWatchTests {
    /// Seconds within which a change must be picked up once nothing prevents it; more on a busy machine.
    private static let timeoutSeconds = 30.0

    private static let reason: Comment = "mount namespaces are not permitted on this system"

    @Test(
        "A change that arrives while the data disk is full is picked up once there is space",
        .enabled(if: MountedDisks.areAvailable, reason))
    func fullDisk() throws {
        let fixture = try MusicFixture(pieces: 0..<2)
        try fixture.add(MusicFixture.tag(title: "Old title") + MadeMusic.pieces[2], as: "2.mp3")
        try FileManager.default.createDirectory(atPath: fixture.data, withIntermediateDirectories: true)
        let host = try RunningHost(
            fixture, ["--scan-interval", "0"],
            wrapper: MountedDisks.wrapper("mount -t tmpfs -o size=16m none \"$1\"", fixture.data))
        defer { host.program.signal(SIGKILL) }
        #expect(
            try host.program.waits(60) {
                try titles(host).count == 3 && health(host)["queue_length"] as? Int == 0
            })
        #expect(try titles(host)["2.mp3"] == "Old title")

        let filler = MountedDisks.path("\(fixture.data)/filler", in: host.program.processID)
        try ProcessRun.run("dd", ["if=/dev/zero", "of=\(filler)", "bs=4096"], mustSucceed: false)
        // Each change separately, so that both have hit the full disk.
        func meetsFullDisk(_ change: () throws -> Void) throws {
            let before = complaints(host)
            try change()
            #expect(
                host.program.waits(Self.timeoutSeconds) { complaints(host) > before },
                "\(host.program.errors)")
        }
        try meetsFullDisk { try fixture.remove("1.mp3") }
        try meetsFullDisk {
            try fixture.add(MusicFixture.tag(title: "New title") + MadeMusic.pieces[2], as: "2.mp3")
        }
        unlink(filler)
        #expect(
            try host.program.waits(Self.timeoutSeconds) {
                let titles = try titles(host)
                return titles["2.mp3"] == "New title" && titles["1.mp3"] == nil
            }, "\(host.program.errors)")
    }

    @Test(
        "A music folder that is unmounted keeps its tracks, and is watched again once it is mounted",
        .enabled(if: MountedDisks.areAvailable, reason))
    func remounted() throws {
        let fixture = try MusicFixture()
        let disk = try TemporaryDirectory()
        for number in 0..<3 { try disk.write(MadeMusic.pieces[number], as: "\(number).mp3") }
        let fill = "mount -t tmpfs none \"$2\" && cp -p \"$1\"/* \"$2\""
        let host = try RunningHost(
            fixture, ["--scan-interval", "0"], wrapper: MountedDisks.wrapper(fill, disk.path, fixture.music))
        defer { host.program.signal(SIGKILL) }
        let process = host.program.processID
        #expect(
            try host.program.waits(60) {
                try titles(host).count == 3 && health(host)["queue_length"] as? Int == 0
            })
        for round in 3..<5 {
            try MountedDisks.run(in: process, "umount", "--lazy", fixture.music)
            #expect(
                try host.program.waits(Self.timeoutSeconds) {
                    try unavailable(host).map(\.path) == ["."]
                })
            #expect(try unavailable(host).map(\.count) == [round])
            #expect(try titles(host).count == round)
            try disk.write(MadeMusic.pieces[round], as: "\(round).mp3")
            try MountedDisks.run(in: process, "sh", "-c", fill, "sh", disk.path, fixture.music)
            #expect(
                try host.program.waits(Self.timeoutSeconds) { try titles(host).count == round + 1 },
                "what was added before mounting is missing")
            #expect(try host.program.waits(Self.timeoutSeconds) { try unavailable(host).isEmpty })
            // The change is reported by the watch, not found by a scan.
            try Data(MadeMusic.pieces[5]).write(
                to: URL(filePath: MountedDisks.path("\(fixture.music)/later.mp3", in: process)))
            #expect(
                try host.program.waits(Self.timeoutSeconds) { try titles(host)["later.mp3"] != nil },
                "the mounted folder is not watched")
            unlink(MountedDisks.path("\(fixture.music)/later.mp3", in: process))
            #expect(try host.program.waits(Self.timeoutSeconds) { try titles(host)["later.mp3"] == nil })
        }
    }

    @Test(
        "The tracks of a disk below the music folder stay while it is not mounted, until the owner confirms their removal",
        .enabled(if: MountedDisks.areAvailable, reason))
    func diskBelow() throws {
        let fixture = try MusicFixture(pieces: 0..<2)
        let disk = try TemporaryDirectory()
        for number in 2..<5 { try disk.write(MadeMusic.pieces[number], as: "\(number).mp3") }
        try FileManager.default.createDirectory(
            atPath: fixture.file("disk"), withIntermediateDirectories: true)
        let host = try RunningHost(
            fixture, ["--scan-interval", "0"],
            wrapper: MountedDisks.wrapper("mount --bind \"$1\" \"$2\"", disk.path, fixture.file("disk")))
        defer { host.program.signal(SIGKILL) }
        let process = host.program.processID
        #expect(
            try host.program.waits(60) {
                try titles(host).count == 5 && health(host)["queue_length"] as? Int == 0
            })
        try MountedDisks.run(in: process, "umount", "--lazy", fixture.file("disk"))
        #expect(
            try host.program.waits(Self.timeoutSeconds) {
                try unavailable(host).map(\.path) == ["disk"]
            })
        #expect(try unavailable(host).map(\.reason) == ["not_mounted"])
        #expect(try unavailable(host).map(\.count) == [3])
        // An ordinary deletion is still detected.
        try fixture.remove("1.mp3")
        #expect(try host.program.waits(Self.timeoutSeconds) { try titles(host).count == 4 })
        #expect(try titles(host)["disk/2.mp3"] != nil)

        let confirm = "/library/unavailable-folders/confirm"
        func post(_ body: String) throws -> String {
            try host.curl(confirm, "-X", "POST", "-H", "Content-Type: application/json", "-d", body)
        }
        for body in ["{}", "{\"relative_paths\":[]}"] {
            #expect(try post(body).contains("\"error\""), "\(body)")
        }
        #expect(try post("{\"relative_paths\":[\"other\"]}").contains("not_unavailable"))
        #expect(try titles(host).count == 4)
        #expect(try post("{\"relative_paths\":[\"disk\"]}").contains("\"removed_count\":3"))
        #expect(try titles(host).count == 1)
        #expect(try unavailable(host).isEmpty)
        // Once back, they are the same tracks.
        try MountedDisks.run(in: process, "mount", "--bind", disk.path, fixture.file("disk"))
        #expect(try host.program.waits(Self.timeoutSeconds) { try titles(host).count == 4 })
    }

    private func complaints(_ host: RunningHost) -> Int {
        host.program.errors.split(separator: "\n").count { $0.contains("full") }
    }

    private func object(_ host: RunningHost, _ path: String) throws -> [String: Any] {
        let text = try host.curl(path)
        return try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
    }

    private func health(_ host: RunningHost) throws -> [String: Any] { try object(host, "/health") }

    private func unavailable(_ host: RunningHost) throws -> [(path: String, count: Int, reason: String)] {
        let folders = try health(host)["unavailable_folders"] as? [[String: Any]] ?? []
        return folders.map {
            (
                $0["relative_path"] as? String ?? "", $0["track_count"] as? Int ?? -1,
                $0["reason"] as? String ?? ""
            )
        }
    }

    /// Returns the titles of all tracks listed by the host, by path.
    private func titles(_ host: RunningHost) throws -> [String: String] {
        let items = try object(host, "/api/tracks?limit=100")["items"] as? [[String: Any]] ?? []
        return Dictionary(
            uniqueKeysWithValues: items.map {
                ($0["relative_path"] as? String ?? "", $0["title"] as? String ?? "")
            })
    }
}
