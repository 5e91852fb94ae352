import Analyzer
import Companion
import Foundation
import LibraryStore
import SQLiteDatabase
import Testing
import TestSupport

/// The store's files: created, reopened, shared, rejected.
@Suite struct StoreFilesTests {
    private let data: TemporaryData

    init() throws { data = try TemporaryData() }

    @Test("Purging the Debian package keeps the user's own databases, and no other file of the data folder")
    func purge() throws {
        let directory = try TemporaryDirectory()
        let folder = directory.file("data")
        // The lists have prefixes of names.
        let names = DataFolder.files.map { name in
            switch name {
            case "library.s": "library.sqlite"
            case "following": "following.json"
            default: name
            }
        }
        let further = ["listening.sqlite-wal", "visualizer.sqlite-shm", "following-changes.sqlite"]
        for name in names + further + DataFolder.folders.map({ "\($0)/a/b" }) {
            let url = URL(filePath: "\(folder)/\(name)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data([1]).write(to: url)
        }
        let script = try String(contentsOfFile: PythonTools.root + "/deploy/debian/postrm", encoding: .utf8)
            .replacing("/var/lib/stream-host", with: folder)
            .replacing("/etc/stream-host", with: directory.file("settings"))
        let path = try directory.write(Array(script.utf8), as: "postrm")
        // Without the programs that change the machine's services and users.
        let tools = directory.file("tools")
        for tool in ["rm", "rmdir"] {
            let found = try ProcessRun.run("sh", ["-c", "command -v \(tool)"]).text
                .trimmingCharacters(in: .whitespacesAndNewlines)
            try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                atPath: "\(tools)/\(tool)", withDestinationPath: found)
        }
        try ProcessRun.run("env", ["PATH=\(tools)", "/bin/sh", path, "purge"])
        let left = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        // The last says which database the listening data is a copy of.
        #expect(
            left == ["library.sqlite", "listening.sqlite", "listening.sqlite-wal", "shared-listening.json"])
    }

    @Test("The schema has the expected tables and version")
    func theSchemaIsAsDescribed() throws {
        _ = try LibraryStore(data.folder)
        let file = data.folder.libraryDatabase
        let tables = try sqlite3Tool(
            file,
            """
            SELECT name || ' ' || strict FROM pragma_table_list
            WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name
            """
        ).output
        #expect(
            tables == """
                album_credits 1
                album_genres 1
                albums 1
                analyses 1
                analysis_details 1
                analysis_failures 1
                artists 1
                catalogue_changes 1
                file_divisions 1
                library_state 1
                playlist_entries 1
                playlists 1
                row_changes 1
                smart_playlists 1
                tracks 1

                """)
        #expect(
            try sqlite3Tool(file, "PRAGMA user_version; PRAGMA journal_mode; PRAGMA integrity_check").output
                == "26\nwal\nok\n")
        #expect(
            try sqlite3Tool(file, "SELECT count(*) FROM pragma_table_list WHERE name = 'tracks_fts'").output
                == "1\n"
        )
    }

    @Test("Contents are still there after reopening")
    func contentsOutliveTheProcess() throws {
        let record = try Sample.record("a.mp3", analysis: Sample.analysis())
        do { try LibraryStore(data.folder).record([record], isPresent: Sample.present) }
        let again = try LibraryStore(data.folder)
        #expect(try again.track(path: record.path)?.analysis == record.analysis)
        let reading = try LibraryStore(reading: data.folder)
        #expect(try reading.track(path: record.path)?.analysis == record.analysis)
        let error = #expect(throws: DatabaseError.self) { try reading.markAvailable([1]) }
        #expect(error?.code == .readOnly)
    }

    @Test("Opening for reading does not create a library")
    func aLibraryThatIsNotThereIsNotMadeByReading() throws {
        let error = #expect(throws: StoreError.self) { try LibraryStore(reading: data.folder) }
        #expect(error?.code == .notFound)
        #expect(try FileManager.default.contentsOfDirectory(atPath: data.folder.path).isEmpty)
    }

    @Test("Newer and foreign libraries are rejected and not changed")
    func newerAndForeignLibrariesAreRefusedAndLeftAlone() throws {
        _ = try LibraryStore(data.folder)
        let file = data.folder.libraryDatabase
        _ = try sqlite3Tool(file, "PRAGMA user_version = 99").output
        for open in [{ _ = try LibraryStore(data.folder) }, { _ = try LibraryStore(reading: data.folder) }] {
            let error = #expect(throws: DatabaseError.self) { try open() }
            #expect(error?.code == .schemaTooNew)
            #expect(error?.path == file)
        }
        #expect(try sqlite3Tool(file, "PRAGMA user_version").output == "99\n")

        let other = try TemporaryData()
        _ = try sqlite3Tool(
            other.folder.libraryDatabase, "CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)"
        ).output
        let error = #expect(throws: DatabaseError.self) { try LibraryStore(other.folder) }
        #expect(error?.code == .foreignDatabase)
        #expect(try sqlite3Tool(other.folder.libraryDatabase, "SELECT * FROM theirs").output == "1\n")
    }

    @Test("Damaged files are rejected and not changed")
    func damagedFilesAreLeftAlone() throws {
        let junk = Data(repeating: 0x5A, count: 20_000)
        for file in [data.folder.libraryDatabase, data.folder.visualizerDatabase] {
            try junk.write(to: URL(fileURLWithPath: file))
        }
        #expect(throws: DatabaseError.self) { try LibraryStore(data.folder) }
        #expect(throws: DatabaseError.self) { try SpectrumStore(data.folder) }
        for file in [data.folder.libraryDatabase, data.folder.visualizerDatabase] {
            #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == junk)
        }
    }

    @Test("Several writers and readers can work at once")
    func severalWritersAndReadersAtOnce() async throws {
        // Two stores on one file simulate two processes.
        let stores = [try LibraryStore(data.folder), try LibraryStore(data.folder)]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, store) in stores.enumerated() {
                group.addTask {
                    for index in 0..<50 {
                        let hash = number * 1_000 + index
                        try store.record(
                            [
                                Sample.record(
                                    "\(number)/\(index).mp3", hash: hash, analysis: Sample.analysis(hash))
                            ],
                            isPresent: Sample.present)
                    }
                }
                group.addTask {
                    for _ in 0..<20 {
                        // Each state seen is complete: no track without its analysis.
                        try store.forEachTrack { #expect($0.analysis != nil) }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try stores[0].trackCount() == 100)
        #expect(
            try sqlite3Tool(data.folder.libraryDatabase, "PRAGMA integrity_check; PRAGMA foreign_key_check")
                .output
                == "ok\n")
    }

    @Test("Only one pass can hold the lock")
    func onlyOnePassAtATime() throws {
        do {
            let lock = try PassLock(data.folder)
            let error = #expect(throws: StoreError.self) { _ = try PassLock(data.folder) }
            #expect(error?.code == .passRunning)
            #expect(error?.message.contains("process \(getpid())") == true)
            #expect(PassLock.isHeld(data.folder))
            // Other processes are locked out too.
            #expect(try flockTool(data.folder.passLock) == 1)
            _ = consume lock
        }
        #expect(try flockTool(data.folder.passLock) == 0)
        _ = try PassLock(data.folder)
    }

    @Test("A leftover lock file does not lock anyone out")
    func aLockFileLeftOverLocksNobodyOut() throws {
        try Data("999999\n".utf8).write(to: URL(fileURLWithPath: data.folder.passLock))
        let lock = try PassLock(data.folder)
        let text = try String(contentsOfFile: data.folder.passLock, encoding: .utf8)
        #expect(text == "\(getpid())\n")
        _ = consume lock
    }

    @Test("A data folder that cannot be created is an error")
    func aDataFolderThatCannotBe() throws {
        let file = data.folder.path + "/file"
        try Data().write(to: URL(fileURLWithPath: file))
        let error = #expect(throws: StoreError.self) { try DataFolder(path: file + "/data") }
        #expect(error?.code == .dataFolder)
    }

    private func flockTool(_ path: String) throws -> Int32 {
        try ProcessRun.run(
            "flock", ["--nonblock", "--conflict-exit-code", "1", path, "true"], mustSucceed: false
        ).status
    }
}
