import Analyzer
import Catalogue
import Foundation
import LibraryStore
import MusicShared
import SQLiteDatabase
import TestSupport
import Testing

@Suite("Smart playlists", .ownAndSharedListening)
struct SmartPlaylistTests {
    private let data: TemporaryData
    private let library: LibraryStore
    private let smart: SmartPlaylists
    private let store: ListeningStore
    private let account: AccountListening
    private let now = Date(timeIntervalSince1970: KnownTrack.now)

    init() throws {
        data = try TemporaryData()
        library = try LibraryStore(data.folder)
        smart = SmartPlaylists(data.folder) { Date(timeIntervalSince1970: KnownTrack.now) }
        store = try ListeningStores.open(data.folder, smart: smart)
        account = store.account(Account.mainID)
    }

    /// Stores made-up tracks and listening data.
    private func fill(_ count: Int, _ random: inout SeededGenerator) throws -> [KnownTrack] {
        var tracks: [KnownTrack] = []
        for number in 1...count {
            var (track, record) = try KnownTrack.random(number, &random)
            track.id = try #require(try library.record([record], isPresent: Sample.present).first)
            let actions = track.listen(&random)
            if !actions.isEmpty { _ = try account.apply(actions, now: now) }
            tracks.append(track)
        }
        return tracks
    }

    private func rules(_ json: String) throws -> SmartRules {
        try JSONDecoder().decode(SmartRules.self, from: Data(json.utf8))
    }

    /// The tracks of rules, through a stored playlist.
    private func ids(_ rules: SmartRules, ownerID: Int = Account.mainID) throws -> [Int] {
        let id = try library.makePlaylist(name: UUID().uuidString, ownerID: ownerID, rules: rules)
        return try #require(try smart.tracks(ofPlaylist: id)).ids
    }

    private func ids(_ json: String) throws -> [Int] { try ids(try rules(json)) }

    // MARK: - Selection

    @Test("Rules select the tracks that a comparison one by one selects", arguments: 0..<4)
    func selection(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let tracks = try fill(120, &random)
        var selected = 0
        for _ in 0..<150 {
            let rule = RandomRule.group(depth: 3, &random)
            let expected = try tracks.filter { try $0.matches(rule) }
            selected += expected.isEmpty || expected.count == tracks.count ? 0 : 1
            let found = try ids(SmartRules(match: rule))
            #expect(Set(found) == Set(expected.map(\.id)) && found.count == expected.count, "\(rule)")
            let count = try smart.count(SmartRules(match: rule, limit: 7), accountID: Account.mainID)
            #expect(count.matchingCount == expected.count && count.trackCount == min(7, expected.count))
        }
        // Rules that select everything or nothing would prove little.
        #expect(selected > 50)
    }

    @Test("Each operator of each kind of field selects what a comparison one by one selects")
    func operators() throws {
        var random = SeededGenerator(seed: 9)
        let tracks = try fill(150, &random)
        for name in try #require(tracks.first).fields.keys.sorted() {
            let field = try #require(SmartField.named(name))
            for comparison in field.operators {
                for _ in 0..<6 {
                    let rule = SmartRule.all([RandomRule.condition(field, comparison, &random)])
                    let expected = try tracks.filter { try $0.matches(rule) }.map(\.id)
                    #expect(Set(try ids(SmartRules(match: rule))) == Set(expected), "\(rule)")
                }
            }
        }
    }

    @Test("Tracks are sorted by several fields in both directions, and those without a value come last")
    func order() throws {
        var random = SeededGenerator(seed: 5)
        let tracks = try fill(100, &random)
        func number(_ track: KnownTrack, _ name: String) -> Double? {
            if case .number(let number) = track.fields[name] { return number }
            return nil
        }
        func isBefore(_ first: Double?, _ second: Double?, isDescending: Bool) -> Bool? {
            guard let first, let second else {
                return first == nil && second == nil ? nil : second == nil
            }
            return first == second ? nil : (first < second) != isDescending
        }
        for (sort, order, year, bpm) in [
            ("year,bpm", "asc", false, false), ("-year, bpm", "asc", true, false),
            ("year,-bpm", "desc", true, false),
        ] {
            let expected = tracks.sorted { first, second in
                isBefore(number(first, "year"), number(second, "year"), isDescending: year)
                    ?? isBefore(number(first, "bpm"), number(second, "bpm"), isDescending: bpm)
                    ?? (first.id < second.id)
            }.map(\.id)
            let json = #"{"all": [{"gt": {"playCount": -1}}], "sort": "\#(sort)", "order": "\#(order)""#
            #expect(try ids("\(json)}") == expected)
            #expect(try ids("\(json), \"limit\": 13}") == Array(expected.prefix(13)))
            #expect(try ids("\(json), \"limitPercent\": 25}") == Array(expected.prefix(25)))
            // One track at least, if any matches.
            #expect(try ids("\(json), \"limitPercent\": 1}") == Array(expected.prefix(1)))
        }
    }

    @Test("A random order has all tracks, stays the same for a day and is another one the next day")
    func randomOrder() throws {
        var random = SeededGenerator(seed: 6)
        let tracks = try fill(60, &random).map(\.id)
        let rules = try rules(#"{"all": [{"gt": {"playCount": -1}}], "sort": "random"}"#)
        let id = try library.makePlaylist(name: "Shuffled", rules: rules)
        func order(day: Int) throws -> [Int] {
            let smart = SmartPlaylists(data.folder) {
                Date(timeIntervalSince1970: KnownTrack.now + Double(day) * 86_400)
            }
            return try #require(try smart.tracks(ofPlaylist: id)).ids
        }
        let orders = try (0..<20).map(order)
        #expect(try orders.allSatisfy { $0.sorted() == tracks } && order(day: 0) == orders[0])
        #expect(Set(orders).count == 20)
        // Neighbours by id are not neighbours more often than by chance: 59 pairs, one in 30 of them.
        let neighbours = orders.map { order in zip(order, order.dropFirst()).count { abs($0 - $1) == 1 } }
        #expect(neighbours.reduce(0, +) < 20 * 8)
        // No track is at the front again and again.
        #expect(Set(orders.compactMap(\.first)).count > 10)
    }

    @Test("Tracks of rules that are not stored are those of a playlist with the rules")
    func unstoredRules() throws {
        var random = SeededGenerator(seed: 11)
        let tracks = try fill(60, &random)
        // More lists than are kept, each twice.
        let rules = (0..<12).map { _ in SmartRules(match: RandomRule.group(depth: 2, &random), sort: "-year")
        }
        for _ in 0..<2 {
            for rules in rules {
                let found = try smart.tracks(rules, accountID: Account.mainID)
                #expect(try found.ids == ids(rules) && found.rules == rules)
            }
        }
        let all = try self.rules(#"{"all": [{"gt": {"playCount": -1}}], "sort": "random"}"#)
        let orders = try (0..<20).map { try smart.tracks(all, accountID: Account.mainID, seed: $0).ids }
        #expect(orders.allSatisfy { $0.sorted() == tracks.map(\.id) } && Set(orders).count == 20)
        for (seed, order) in orders.enumerated() {
            #expect(try smart.tracks(all, accountID: Account.mainID, seed: seed).ids == order)
        }
        #expect(try smart.tracks(all, accountID: Account.mainID).ids == ids(all))
    }

    @Test("A list of rules has more tracks than a playlist may have, unless the rules have a limit")
    func longLists() throws {
        let most = CatalogueLimits.playlistEntries
        let database = try Database(path: data.folder.libraryDatabase)
        try database.transaction(.immediate) {
            try database.execute(
                """
                WITH numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
                INSERT INTO tracks (id, relative_path, audio_hash, file_size, modified_at_ns, year, is_compilation,
                    has_cover, tag_kinds, added_at_ms, changed_at_ms)
                SELECT n, n || '.mp3', CAST(printf('%016d', n) AS BLOB), 1, 1, 1 + n * 7919 % 3000, 0, 0, 0, 1, 1
                FROM numbers
                """, [most + 500])
        }
        func list(_ limits: String) throws -> [Int] {
            try smart.tracks(
                rules(#"{"all": [{"gt": {"year": 0}}], "sort": "-year"\#(limits)}"#),
                accountID: Account.mainID
            ).ids
        }
        let all = (1...most + 500).sorted { first, second in
            let (one, other) = (first * 7919 % 3000, second * 7919 % 3000)
            return one == other ? first < second : one > other
        }
        #expect(try list("") == all)
        #expect(try list(#", "limit": \#(most + 100)"#) == Array(all.prefix(most + 100)))
        #expect(try list(#", "limit": 5000"#) == Array(all.prefix(5000)))
        #expect(try list(#", "limitPercent": 98"#) == Array(all.prefix((most + 500) * 98 / 100)))
        #expect(try ids(#"{"all": [{"gt": {"year": 0}}], "sort": "-year"}"#) == Array(all.prefix(most)))
    }

    // MARK: - Changes

    @Test("Changes of tracks and of listening data show at once")
    func changes() throws {
        var random = SeededGenerator(seed: 7)
        var tracks = try fill(40, &random)
        let rules = [
            #"{"all": [{"contains": {"title": "ver"}}]}"#, #"{"any": [{"is": {"loved": true}}]}"#,
            #"{"all": [{"gt": {"playCount": 1}}, {"gt": {"bpm": 80}}]}"#,
        ].map { try? self.rules($0) }.compactMap { $0 }
        let playlists = try rules.map { try library.makePlaylist(name: UUID().uuidString, rules: $0) }
        // Most tracks, few, and the first ones, in an order that changes with the tracks.
        let sorted = try [
            #"{"all": [{"is": {"loved": false}}], "sort": "-year"}"#,
            #"{"all": [{"is": {"loved": true}}], "sort": "-year"}"#,
            #"{"all": [{"gt": {"playCount": -1}}], "sort": "-year", "limitPercent": 50}"#,
        ].map { json in
            (try self.rules(json), try library.makePlaylist(name: UUID().uuidString, rules: self.rules(json)))
        }
        func check() throws {
            for (rules, id) in sorted {
                let order = tracks.map { track -> (Double?, Int) in
                    if case .number(let year) = track.fields["year"] { return (year, track.id) }
                    return (nil, track.id)
                }.sorted { ($0.0 ?? -1, $1.1) > ($1.0 ?? -1, $0.1) }.map(\.1)
                let selected = Set(try tracks.filter { try $0.matches(rules.match) }.map(\.id))
                let expected = order.filter { selected.contains($0) }
                #expect(
                    try smart.tracks(ofPlaylist: id)?.ids
                        == Array(expected.prefix(rules.limitPercent == nil ? 40 : 20)))
            }
            for (id, rules) in zip(playlists, rules) {
                let expected = try tracks.filter { try $0.matches(rules.match) }.map(\.id)
                #expect(Set(try smart.tracks(rules, accountID: Account.mainID).ids) == Set(expected))
                #expect(Set(try #require(try smart.tracks(ofPlaylist: id)).ids) == Set(expected))
            }
        }
        try check()
        for step in 0..<12 {
            let place = Int.random(in: tracks.indices, using: &random)
            if step % 3 == 0 {
                // The same file with other tags and another analysis.
                var (changed, record) = try KnownTrack.random(place + 1, &random)
                changed.id = tracks[place].id
                for name in ["loved", "rating", "playCount", "lastPlayed"] {
                    changed.fields[name] = tracks[place].fields[name]
                }
                _ = try library.record([record], isPresent: Sample.present)
                tracks[place] = changed
            } else {
                var action = ListeningAction(
                    step % 3 == 1 ? .star : .play, at: KnownTrack.now - Double(100 + step))
                action.relativePath = tracks[place].path
                _ = try account.apply([action], now: now)
                if step % 3 == 1 {
                    tracks[place].fields["loved"] = .flag(true)
                } else if case .number(let plays?) = tracks[place].fields["playCount"] {
                    tracks[place].fields["playCount"] = .number(plays + 1)
                }
            }
            try check()
        }
    }

    @Test("Measurements that no list shows are followed, too")
    func measurements() throws {
        var random = SeededGenerator(seed: 8)
        var (_, record) = try KnownTrack.random(1, &random)
        let id = try #require(try library.record([record], isPresent: Sample.present).first)
        let playlist = try library.makePlaylist(
            name: "Energy", rules: try rules(#"{"all": [{"gt": {"energy": 0.9}}]}"#))
        #expect(try smart.tracks(ofPlaylist: playlist)?.ids == [])
        record.analysis?.profile?.character.energy = 0.95
        _ = try library.record([record], isPresent: Sample.present)
        #expect(try smart.tracks(ofPlaylist: playlist)?.ids == [id])
    }

    /// Values halfway between two shown ones, of which -20.455 is a little more and -20.465 a little less in binary.
    @Test(
        "Rules compare the values that lists show",
        arguments: [-20.455, -20.465, -20.115, -0.005, 0, 0.005, 3.145])
    func roundedValues(stored: Double) throws {
        var random = SeededGenerator(seed: 10)
        var (_, record) = try KnownTrack.random(1, &random)
        record.analysis?.profile?.loudness.integratedLUFS = stored
        let id = try #require(try library.record([record], isPresent: Sample.present).first)
        let shown = try #require(try account.look { try $0.track(id: id)?.integratedLUFS })
        #expect(abs(shown - stored) < 0.0051)
        #expect(try ids(#"{"all": [{"is": {"loudness": \#(shown)}}]}"#) == [id])
        #expect(try ids(#"{"all": [{"gt": {"loudness": \#(shown)}}]}"#) == [])
        #expect(try ids(#"{"all": [{"lt": {"loudness": \#(shown)}}]}"#) == [])
    }

    @Test("Each account's rules see its own listening data; readers see what the owner's rules select")
    func accounts() throws {
        var random = SeededGenerator(seed: 3)
        let tracks = try fill(30, &random)
        let anna = try store.addAccount(name: "anna", role: .listener).id
        let rules = try rules(#"{"all": [{"is": {"loved": true}}]}"#)
        let mine = try library.makePlaylist(name: "Stars", isPublic: true, rules: rules)
        let hers = try library.makePlaylist(name: "Stars", ownerID: anna, rules: rules)
        let expected = try tracks.filter { try $0.matches(rules.match) }.map(\.id)
        #expect(try Set(#require(try smart.tracks(ofPlaylist: mine)).ids) == Set(expected))
        #expect(try smart.tracks(ofPlaylist: hers)?.ids == [])
        #expect(try Set(smart.tracks(rules, accountID: Account.mainID).ids) == Set(expected))
        #expect(try smart.tracks(rules, accountID: anna).ids == [])
        let seen = try store.account(anna).look {
            try $0.catalogue.playlist(id: mine, limit: 500, offset: 0, visibleTo: anna)
        }
        #expect(seen?.trackCount == expected.count && seen?.entries?.items.count == expected.count)
    }

    // MARK: - Other playlists

    @Test("Rules include and exclude other playlists, also smart ones with a limit, but none contains itself")
    func otherPlaylists() throws {
        var random = SeededGenerator(seed: 4)
        let tracks = try fill(40, &random).map(\.id)
        let ordinary = try library.makePlaylist(
            name: "Ordinary", trackIDs: [tracks[3], tracks[1], tracks[3]])
        let short = try library.makePlaylist(
            name: "Short", rules: try rules(#"{"all": [{"gt": {"year": 0}}], "sort": "-year", "limit": 5}"#))
        let five = try #require(try smart.tracks(ofPlaylist: short)).ids
        #expect(five.count == 5)
        #expect(Set(try ids(#"{"all": [{"inPlaylist": {"id": \#(ordinary)}}]}"#)) == [tracks[1], tracks[3]])
        #expect(Set(try ids(#"{"all": [{"inPlaylist": {"id": "pl-\#(short)"}}]}"#)) == Set(five))
        let rest = try ids(#"{"all": [{"notInPlaylist": {"id": "\#(short)"}}]}"#)
        #expect(Set(rest) == Set(tracks).subtracting(five) && rest.count == 35)

        let outer = try library.makePlaylist(
            name: "Outer", rules: try rules(#"{"all": [{"inPlaylist": {"id": \#(short)}}]}"#))
        for own in [short, outer] {
            let error = #expect(throws: SmartRulesError.self) {
                let rules = try rules(#"{"any": [{"is": {"loved": true}}, {"inPlaylist": {"id": \#(own)}}]}"#)
                try library.editPlaylist(id: short, [.setRules(rules)])
            }
            #expect(error?.place == "any[1].inPlaylist.id")
        }
        try library.removePlaylist(id: short)
        #expect(try smart.tracks(ofPlaylist: outer)?.ids == [])
    }

    @Test("Private playlists of other accounts do not exist for rules")
    func privatePlaylists() throws {
        let anna = try store.addAccount(name: "anna", role: .listener).id
        let secret = try library.makePlaylist(name: "Secret", ownerID: anna)
        let error = #expect(throws: SmartRulesError.self) {
            try ids(#"{"all": [{"inPlaylist": {"id": \#(secret)}}]}"#)
        }
        #expect(error?.message.contains("no playlist") == true)
    }

    // MARK: - Errors

    @Test(
        "Wrong rules are rejected with the place",
        arguments: [
            (#"{"all": [{"is": {"tempoo": 1}}]}"#, "all[0].is.tempoo"),
            (
                #"{"any": [{"is": {"loved": true}}, {"all": [{"gt": {"bpm": "fast"}}]}]}"#,
                "any[1].all[0].gt.bpm"
            ),
            (#"{"all": [{"contains": {"year": "19"}}]}"#, "all[0].contains.year"),
            (#"{"all": [{"inTheRange": {"year": [1980]}}]}"#, "all[0].inTheRange.year"),
            (#"{"all": [{"before": {"lastPlayed": "2024-02-30"}}]}"#, "all[0].before.lastPlayed"),
            (#"{"all": [{"inTheLast": {"lastPlayed": 1.5}}]}"#, "all[0].inTheLast.lastPlayed"),
            (#"{"all": [{"is": {"loved": "maybe"}}]}"#, "all[0].is.loved"),
            (#"{"all": [{"is": {"title": [["a"]]}}]}"#, "all[0].is.title"),
            (#"{"all": [{"inPlaylist": {"id": 999}}]}"#, "all[0].inPlaylist.id"),
            (#"{"all": [{"is": {"loved": true}}], "sort": "title,speed"}"#, "sort"),
        ])
    func wrongRules(json: String, place: String) throws {
        let rules = try rules(json)
        let error = #expect(throws: SmartRulesError.self) { try ids(rules) }
        #expect(error?.place == place)
        #expect(throws: SmartRulesError.self) { try smart.count(rules, accountID: Account.mainID) }
        let other = #expect(throws: SmartRulesError.self) {
            try smart.tracks(rules, accountID: Account.mainID)
        }
        #expect(other?.place == place)
        #expect(try library.catalogue { try $0.playlists(.init(sort: .name, limit: 9)) }.total == 0)
    }

    @Test("Values are never part of the SQL")
    func hostileValues() throws {
        var random = SeededGenerator(seed: 2)
        let count = try fill(10, &random).count
        for text in ["'; DROP TABLE smart_rows; --", "\" OR 1=1 --", "?1", "%' OR '1'='1"] {
            let value = SmartRule.Value.text(text)
            #expect(try ids(SmartRules(match: .all([.condition(.is, field: "title", value: value)]))) == [])
            #expect(
                try ids(SmartRules(match: .all([.condition(.isNot, field: "title", value: value)]))).count
                    == count)
            #expect(throws: SmartRulesError.self) {
                try ids(SmartRules(match: .all([.condition(.is, field: text, value: value)])))
            }
            #expect(throws: SmartRulesError.self) {
                try ids(
                    SmartRules(match: .all([.condition(.is, field: "title", value: value)]), sort: text))
            }
        }
    }

    @Test("More conditions than a query may have are rejected, also when hidden in lists and other playlists")
    func limits() throws {
        let one = SmartRule.condition(.is, field: "year", value: .number(1))
        let most = SmartRules.Limits.conditions
        #expect(try ids(SmartRules(match: .any(Array(repeating: one, count: most)))) == [])
        #expect(throws: SmartRulesError.self) {
            try ids(SmartRules(match: .any(Array(repeating: one, count: most + 1))))
        }
        let list = SmartRule.Value.list(Array(repeating: .number(1), count: most + 1))
        #expect(throws: SmartRulesError.self) {
            try ids(SmartRules(match: .all([.condition(.is, field: "year", value: list)])))
        }
        let inner = try library.makePlaylist(
            name: "Inner", rules: SmartRules(match: .any(Array(repeating: one, count: most / 2 + 1))))
        let twice = SmartRule.condition(.inPlaylist, field: "id", value: .number(Double(inner)))
        #expect(throws: SmartRulesError.self) { try ids(SmartRules(match: .any([twice, twice]))) }
        var nested = one
        for _ in 0...SmartRules.Limits.depth { nested = .all([nested]) }
        #expect(throws: SmartRulesError.self) { try ids(SmartRules(match: nested)) }
    }

    // MARK: - Editing

    @Test(
        "The tracks of a smart playlist cannot be changed, but its name and rules; an ordinary one has no rules"
    )
    func edits() throws {
        let rules = try rules(#"{"all": [{"is": {"loved": true}}]}"#)
        let id = try library.makePlaylist(name: "Smart", rules: rules)
        let ordinary = try library.makePlaylist(name: "Ordinary")
        func code(_ id: Int, _ edit: PlaylistEdit) throws -> StoreError.Code? {
            do {
                try library.editPlaylist(id: id, [edit])
                return nil
            } catch let error as StoreError {
                return error.code
            }
        }
        for edit in [PlaylistEdit.replace([]), .insert([], at: nil), .move(from: 0, to: 0), .remove(at: 0)] {
            #expect(try code(id, edit) == .smartPlaylist)
        }
        #expect(try code(id, .rename("Other")) == nil && code(ordinary, .setRules(rules)) == .noRules)
        let changed = try self.rules(#"{"any": [{"lt": {"year": 1990}}], "limit": 3}"#)
        #expect(try code(id, .setRules(changed)) == nil)
        let stored = try account.look { try $0.catalogue.playlist(id: id, limit: 1, offset: 0) }
        #expect(stored?.rules == changed && stored?.name == "Other" && stored?.revision == 3)
        try library.removePlaylist(id: id)
        #expect(try smart.tracks(ofPlaylist: id) == nil)
    }

    @Test("A slim copy of the library, which has no listening data, has no smart playlists")
    func copies() throws {
        let rules = try rules(#"{"all": [{"is": {"title": "Xylophone"}}]}"#)
        _ = try library.makePlaylist(name: "Smart", isPublic: true, rules: rules)
        _ = try library.makePlaylist(name: "Ordinary", isPublic: true)
        for (contents, count) in [(LibraryCopyContents.slim, "1\n"), (.whole, "2\n")] {
            let path = "\(data.folder.path)/copy-\(contents)"
            try library.writeCopy(contents, to: path)
            #expect(try sqlite3Tool(path, "SELECT count(*) FROM playlists").output == count)
            let bytes = try Data(contentsOf: URL(filePath: path))
            #expect((bytes.range(of: Data("Xylophone".utf8)) == nil) == (contents == .slim))
        }
    }
}
