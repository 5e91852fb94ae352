import Companion
import Foundation
import HTTPServer
import Jukebox
import LibraryStore
import Testing
import TestSupport
@testable import HostAccounts

@testable import StreamHost

/// A served library with tags, and an app password of its owner.
struct SubsonicLibrary: Sendable {
    /// One library for all tests that change nothing which others look at.
    static let shared = Task { try await aside { try SubsonicLibrary() } }

    let served: ServedLibrary
    let passwords: AppPasswords
    let password: String

    /// - Parameter allowedFailures: wrong passwords in a minute before further ones are refused without a look.
    init(allowedFailures: Int = 1_000_000) throws {
        served = try ServedLibrary(
            try Self.files(), allowedFailures: allowedFailures,
            settings: { $0.jukebox = JukeboxSettings(output: .null) })
        passwords = AppPasswords(dataFolder: served.data.path)
        password = try passwords.add(account: "owner", name: "tests")
    }

    /// A library for one test, whose host is shut down before its files go.
    static func with(
        allowedFailures: Int = 1_000_000, _ body: (SubsonicLibrary) async throws -> Void
    ) async throws {
        let library = try await aside { try SubsonicLibrary(allowedFailures: allowedFailures) }
        do {
            try await body(library)
        } catch {
            await library.served.shutdown()
            throw error
        }
        await library.served.shutdown()
    }

    /// Six songs on three albums by two artists; one name holds what XML has to escape.
    static let songs:
        [(file: String, title: String, artist: String, album: String, genre: String, year: Int)] = [
            ("a/1.mp3", "One & <Only>", "Äther \"Trio\"", "First", "Jazz", 1999),
            ("a/2.mp3", "Two", "Äther \"Trio\"", "First", "Jazz", 1999),
            ("b/1.mp3", "Three", "Äther \"Trio\"", "Second", "Jazz", 2005),
            ("c/1.mp3", "Four", "Beta", "Third", "Rock", 2010),
            ("c/2.mp3", "Five", "Beta", "Third", "Rock", 2010),
            ("c/3.mp3", "Six", "Beta", "Third", "Rock", 2010),
        ]

    /// Tags of the first song alone.
    private static let credits = [
        "TSRC=USSM18300073", "TSOT=One, sorted", "TMOO=calm", "TEXT=Anna Author", "TPE3=Carl Conductor",
        "TPE4=Rita Remixer", "TXXX=ITUNESADVISORY=1", "TXXX=MUSICBRAINZ_TRACKID=\(recordingID)",
    ].flatMap { ["--tv", $0] }

    /// The MusicBrainz id of the first song's recording.
    static let recordingID = "189002e7-3285-4e2e-92a3-7f6c30d407a2"

    private static func files() throws -> [(name: String, bytes: [UInt8])] {
        let music = try songs.enumerated().map { number, song in
            (
                name: song.file,
                bytes: try Encoders.lame(
                    PCM.music(frameCount: 4 * 44_100, seed: UInt64(number + 1)),
                    [
                        "-b", "160", "--id3v2-only", "--id3v2-utf16", "--tt", song.title, "--ta", song.artist,
                        "--tl", song.album, "--tg", song.genre, "--ty", "\(song.year)", "--tn",
                        "\(number % 3 + 1)",
                    ] + (number == 0 ? credits : []))
            )
        }
        return music + [("a/1.lrc", Array("[00:00.50]Hello\n[00:02.00]<0:02.00>World <0:02.50>again\n".utf8))]
    }

    /// Parameters that sign in.
    var credentials: String { "u=owner&p=\(password)" }

    /// The answer to a request without a socket.
    func respond(
        _ endpoint: String, _ query: String = "", credentials: String? = nil, method: HTTPMethod = .get
    ) async -> HTTPResponse {
        await served.responder.respond(
            to: HTTPRequest(
                method,
                "/rest/\(endpoint)?f=json&v=1.16.1&c=tests&\(credentials ?? self.credentials)&\(query)"))
    }

    /// The fields of a JSON answer.
    func ask(
        _ endpoint: String, _ query: String = "", credentials: String? = nil
    ) async throws -> [String: Any] {
        let response = await respond(endpoint, query, credentials: credentials)
        #expect(response.status == .ok, "\(endpoint)?\(query)")
        guard case .bytes(let bytes) = response.body else { return [:] }
        let root = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        return try #require(root?["subsonic-response"] as? [String: Any])
    }

    /// The code of an error; nil for a successful answer.
    func error(_ endpoint: String, _ query: String = "", credentials: String? = nil) async throws -> Int? {
        let answer = try await ask(endpoint, query, credentials: credentials)
        let error = answer["error"] as? [String: Any]
        #expect((answer["status"] as? String == "failed") == (error != nil))
        return error?["code"] as? Int
    }

    /// The objects of a list in an element.
    func list(_ endpoint: String, _ query: String, _ element: String, _ key: String) async throws -> [[String:
        Any]]
    {
        let answer = try await ask(endpoint, query)
        let object = try #require(answer[element] as? [String: Any], "\(endpoint)?\(query)")
        return try #require(object[key] as? [[String: Any]], "\(endpoint)?\(query)")
    }

    /// The id of a song.
    func id(_ file: String) throws -> String { "tr-\(try served.id(file))" }

    /// An album or artist of the library, by its name.
    func entry(_ kind: String, _ name: String) async throws -> [String: Any] {
        let all = try await list("search3", "query=", "searchResult3", kind)
        return try #require(all.first { $0["name"] as? String == name })
    }
}

extension [[String: Any]] {
    /// The texts of a key.
    func texts(_ key: String) -> [String] { compactMap { $0[key] as? String } }
}
