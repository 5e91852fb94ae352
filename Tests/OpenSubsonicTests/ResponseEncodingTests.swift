import Foundation
import OpenSubsonic
import Testing

@Suite("Encoding of OpenSubsonic answers")
struct ResponseEncodingTests {
    private static let server = SubsonicResponse.Server(type: "test", version: "1.2")

    private func text(_ response: SubsonicResponse, _ format: SubsonicFormat) -> String {
        String(decoding: response.encoded(as: format, by: Self.server), as: UTF8.self)
    }

    private func json(_ response: SubsonicResponse) throws -> [String: Any] {
        let bytes = response.encoded(as: .json, by: Self.server)
        let root = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        return try #require(root?["subsonic-response"] as? [String: Any])
    }

    private static let head =
        #"status="ok" version="1.16.1" type="test" serverVersion="1.2" openSubsonic="true""#

    @Test("An empty answer has only the fields that every answer has")
    func empty() throws {
        #expect(
            text(.empty, .xml) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <subsonic-response xmlns="http://subsonic.org/restapi" \(Self.head)/>

                """)
        let answer = try json(.empty)
        #expect(
            Set(answer.keys) == ["status", "version", "type", "serverVersion", "openSubsonic"]
                && answer["openSubsonic"] as? Bool == true)
    }

    @Test("Scalars are attributes, children are elements and lists are repeated elements")
    func mapping() throws {
        var child = SubsonicObject()
        child.add("id", 7)
        child.add("ratio", -3.25)
        child.add("isDir", false)
        child.add("moods", ["calm", "blue"])
        child.add("missing", nil as String?)
        child.add("infinite", Double.infinity)
        child.add(content: "text")
        let response = SubsonicResponse("list", SubsonicObject(list: "item", [child]))
        #expect(
            text(response, .xml).contains(
                #"<list><item id="7" ratio="-3.25" isDir="false"><moods>calm</moods><moods>blue</moods>text</item></list>"#
            ))
        #expect(
            text(response, .json).contains(
                #""list":{"item":[{"id":7,"ratio":-3.25,"isDir":false,"moods":["calm","blue"],"value":"text"}]}"#
            ))
    }

    @Test("Empty lists are arrays in JSON and nothing in XML")
    func emptyList() {
        let response = SubsonicResponse("genres", SubsonicObject(list: "genre", [SubsonicObject]()))
        #expect(text(response, .json).contains(#""genres":{"genre":[]}"#))
        #expect(text(response, .xml).contains("<genres/>"))
    }

    @Test("Markup, white space and characters that XML does not allow survive as text")
    func escaping() throws {
        let nasty = "a<b>&\"c'\t\n\r\u{0}\u{1B}\u{FFFE}é😀\\"
        var object = SubsonicObject()
        object.add("name", nasty)
        object.add(content: nasty)
        let response = SubsonicResponse("item", object)
        let escaped = "a&lt;b&gt;&amp;&quot;c'&#9;&#10;&#13;\u{FFFD}\u{FFFD}\u{FFFD}é😀\\"
        #expect(text(response, .xml).contains("<item name=\"\(escaped)\">\(escaped)</item>"))
        let item = try #require(try json(response)["item"] as? [String: Any])
        #expect(item["name"] as? String == nasty && item["value"] as? String == nasty)
    }

    @Test("Each character survives in JSON; control characters and line separators are escaped")
    func characters() throws {
        var scalars = String.UnicodeScalarView()
        for value in (0...0x2100).map(UInt32.init) + [0xD7FF, 0xE000, 0xFFFD, 0xFFFF, 0x1_F600, 0x10_FFFF] {
            if let scalar = Unicode.Scalar(value) { scalars += [scalar, "x"] }
        }
        let all = String(scalars)
        var object = SubsonicObject()
        object.add("name", all)
        let response = SubsonicResponse("item", object)
        let item = try #require(try json(response)["item"] as? [String: Any])
        #expect((item["name"] as? String).map { Array($0.unicodeScalars) } == Array(scalars))
        let written = text(response, .json)
        #expect(
            !written.unicodeScalars.contains {
                $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || [0x2028, 0x2029].contains($0.value)
            })
        #expect(written.contains("\\u009fx") && written.contains("\\u2028x") && written.contains("\u{A0}x"))
    }

    @Test(
        "JSONP wraps the JSON answer and takes only plain JavaScript names",
        arguments: [
            ("callback", true), ("a.b$_9", true), ("", false), ("9a", false), ("alert(1)//", false),
            ("a-b", false),
        ])
    func jsonp(callback: String, isValid: Bool) {
        let format = SubsonicFormat("jsonp", callback: callback)
        guard isValid else {
            #expect(format == nil)
            return
        }
        #expect(format == .jsonp(callback: callback))
        #expect(
            text(.empty, .jsonp(callback: callback)) == "\(callback)(\(text(.empty, .json)));")
    }

    @Test("Unknown formats are XML")
    func formats() {
        #expect(SubsonicFormat("xml", callback: nil) == .xml && SubsonicFormat(nil, callback: nil) == .xml)
        #expect(
            SubsonicFormat("yaml", callback: nil) == .xml && SubsonicFormat("json", callback: nil) == .json)
        #expect(SubsonicFormat("jsonp", callback: nil) == nil)
    }

    @Test("Errors carry the protocol's code and a message")
    func errors() throws {
        let response = SubsonicResponse(SubsonicError(.wrongCredentials, "No."))
        #expect(text(response, .xml).contains(#"status="failed""#))
        #expect(text(response, .xml).contains(#"<error code="40" message="No."/>"#))
        let error = try #require(try json(response)["error"] as? [String: Any])
        #expect(error["code"] as? Int == 40)
        #expect(SubsonicError.Code.allCases.map(\.rawValue) == [0, 10, 20, 30, 40, 41, 42, 43, 44, 50, 70])
    }

    @Test(
        "Times are written in UTC with milliseconds",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-0.5, "1969-12-31T23:59:59.500Z"),
            (951_782_400, "2000-02-29T00:00:00.000Z"), (1_700_000_000.25, "2023-11-14T22:13:20.250Z"),
            (1_999_999_999.9996, "2033-05-18T03:33:20.000Z"), (1e300, "9999-12-31T23:59:59.999Z"),
            (-Double.infinity, "1000-01-01T00:00:00.000Z"),
        ] as [(Double, String)])
    func times(seconds: Double, text: String) {
        var object = SubsonicObject()
        object.add("at", time: seconds)
        object.add("never", time: .nan)
        #expect(object.fields.map(\.name) == ["at"] && object.fields[0].value == .text(text))
    }

    @Test("A song always has replayGain, also without measurements")
    func replayGain() {
        let song = Child(id: "tr-1", isDirectory: false, title: "T", mediaType: "song")
        #expect(text(SubsonicResponse("song", song), .json).contains(#""replayGain":{}"#))
    }

    @Test("Offsets of cues count UTF-8 bytes, the last one included")
    func cues() {
        let cue = StructuredLyrics.Cue(start: 5, end: nil, text: "눈", firstByte: 3)
        #expect(
            text(SubsonicResponse("cue", cue), .json).contains(
                #"{"start":5,"byteStart":3,"byteEnd":5,"value":"눈"}"#))
    }
}
