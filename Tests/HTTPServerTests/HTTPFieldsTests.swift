import HTTPServer
import Testing

@Suite("Header fields (RFC 9110 §5)")
struct HTTPFieldsTests {
    @Test func namesHaveNoCase() throws {
        var fields: HTTPFields = [try #require(HTTPFieldName("x-ThIng")): "1"]
        let name = try #require(HTTPFieldName("X-Thing"))
        #expect(fields[name] == "1")
        fields.append(HTTPField(name, "2"))
        #expect(fields[name] == "1, 2")
        #expect(fields.values(of: name) == ["1", "2"])
        fields[name] = "3"
        #expect(fields.values(of: name) == ["3"])
        fields[name] = nil
        #expect(fields.isEmpty)
    }

    @Test func tokens() {
        var fields: HTTPFields = [.connection: "keep-alive,\tUpgrade"]
        #expect(fields.containsToken("upgrade", in: .connection))
        #expect(!fields.containsToken("grade", in: .connection))
        fields.add(token: "Origin", to: .vary)
        fields.add(token: "origin", to: .vary)
        fields.add(token: "Accept", to: .vary)
        #expect(fields[.vary] == "Origin, Accept")
    }

    @Test(arguments: ["", "a b", "a:b", "ä", "a\r\n", "a\0"])
    func noNames(_ text: String) { #expect(HTTPFieldName(text) == nil) }

    @Test(arguments: [
        ("\"a\"", "a", false), (" W/\"a\" ", "a", true), ("\"\"", "", false),
    ])
    func entityTags(_ text: String, _ value: String, _ isWeak: Bool) throws {
        let tag = try #require(EntityTag(parsing: text))
        #expect(tag.value == value && tag.isWeak == isWeak)
    }

    @Test(arguments: ["a", "\"a", "w/\"a\"", "\"a\"b\"", "\"a b\"", "W/", "\""])
    func noEntityTags(_ text: String) { #expect(EntityTag(parsing: text) == nil) }

    @Test func entityTagsHoldNoQuotes() { #expect(EntityTag("a\"b c\n").description == "\"a_b_c_\"") }
}
