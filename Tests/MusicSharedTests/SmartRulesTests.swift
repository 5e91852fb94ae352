import Foundation
import MusicShared
import Testing

@Suite("Rules of smart playlists in JSON")
struct SmartRulesTests {
    private func rules(_ json: String) throws -> SmartRules {
        try JSONDecoder().decode(SmartRules.self, from: Data(json.utf8))
    }

    /// The examples with which Navidrome introduced the format: github.com/navidrome/navidrome/issues/1417.
    @Test("Navidrome's examples are read and written without a loss")
    func examples() throws {
        let recent = try JSONDecoder().decode(
            SmartPlaylistFile.self,
            from: Data(
                """
                {"name": "Recently Played", "comment": "Recently played tracks",
                 "all": [{"inTheLast": {"lastPlayed": 30}}], "sort": "lastPlayed", "order": "desc", "limit": 100}
                """.utf8))
        #expect(recent.name == "Recently Played" && recent.comment == "Recently played tracks")
        #expect(
            recent.rules
                == SmartRules(
                    match: .all([.condition(.inTheLast, field: "lastPlayed", value: .number(30))]),
                    sort: "lastPlayed", isDescending: true, limit: 100))
        let eighties = try rules(
            """
            {"all": [{"any": [{"is": {"loved": true}}, {"gt": {"rating": 3}}]}, {"inTheRange": {"year": [1981, 1990]}}],
             "sort": "year", "order": "desc", "limit": 25}
            """)
        #expect(
            eighties.match
                == .all([
                    .any([
                        .condition(.is, field: "loved", value: .flag(true)),
                        .condition(.gt, field: "rating", value: .number(3)),
                    ]), .condition(.inTheRange, field: "year", value: .list([.number(1981), .number(1990)])),
                ]))
        for value in [eighties, recent.rules] {
            #expect(try JSONDecoder().decode(SmartRules.self, from: JSONEncoder().encode(value)) == value)
        }
        let written = try JSONSerialization.jsonObject(with: JSONEncoder().encode(recent)) as? [String: Any]
        #expect(written?["limit"] as? Int == 100 && written?["order"] as? String == "desc")
        #expect((written?["all"] as? [[String: [String: Int]]]) == [["inTheLast": ["lastPlayed": 30]]])
    }

    @Test("Operators are read in any case, and written as Navidrome writes them")
    func operators() throws {
        for name in SmartRule.Operator.allCases.map(\.rawValue) {
            for spelling in [name, name.lowercased(), name.uppercased()] {
                let rules = try rules(#"{"all": [{"\#(spelling)": {"f": 1}}]}"#)
                let text = String(decoding: try JSONEncoder().encode(rules), as: UTF8.self)
                #expect(text.contains("\"\(name)\":{\"f\":1}"))
            }
        }
    }

    @Test("An entry with several operators is several rules, and a limit of 0 is ignored")
    func leniency() throws {
        let rules = try rules(#"{"any": [{"is": {"a": 1}, "gt": {"b": 2}}], "limit": 0, "order": "ASC"}"#)
        #expect(
            rules.match
                == .any([
                    .condition(.gt, field: "b", value: .number(2)),
                    .condition(.is, field: "a", value: .number(1)),
                ]))
        #expect(rules.limit == nil && !rules.isDescending)
    }

    @Test(
        "Wrong JSON is rejected with the place",
        arguments: [
            ("{}", "all"), (#"{"all": [], "any": []}"#, "any"), (#"{"all": []}"#, "all"),
            (#"{"all": {}}"#, "all"), (#"{"all": [1]}"#, "all[0]"), (#"{"all": [{}]}"#, "all[0]"),
            (#"{"all": [{"is": {"a": 1}}, {"equals": {"a": 1}}]}"#, "all[1].equals"),
            (#"{"any": [{"all": [{"is": {"a": 1, "b": 2}}]}]}"#, "any[0].all[0].is"),
            (#"{"all": [{"is": {"a": null}}]}"#, "all[0].is"),
            (#"{"all": [{"is": {"a": 1}}], "limit": -1}"#, "limit"),
            (#"{"all": [{"is": {"a": 1}}], "limit": 1.5}"#, "limit"),
            (#"{"all": [{"is": {"a": 1}}], "limitPercent": 101}"#, "limitPercent"),
            (#"{"all": [{"is": {"a": 1}}], "order": "up"}"#, "order"),
            (#"{"all": [{"is": {"a": 1}}], "sort": 5}"#, "sort"),
            (#"{"all": [{"is": {"a": 1}}], "rules": 5}"#, "rules"),
        ])
    func errors(json: String, place: String) {
        let error = #expect(throws: SmartRulesError.self) { try rules(json) }
        #expect(error?.place == place)
    }

    @Test("Deep nesting is rejected")
    func depth() {
        func nested(_ depth: Int) -> String {
            depth == 0 ? #"{"is": {"a": 1}}"# : "{\"all\": [\(nested(depth - 1))]}"
        }
        #expect(throws: Never.self) { try rules(nested(SmartRules.Limits.depth)) }
        #expect(throws: SmartRulesError.self) { try rules(nested(SmartRules.Limits.depth + 1)) }
        #expect(throws: (any Error).self) { try rules(nested(2000)) }
    }
}
