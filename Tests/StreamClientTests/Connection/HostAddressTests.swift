import StreamClient
import Testing

@Suite struct HostAddressTests {
    @Test(arguments: [
        ("attic.local", "http://attic.local:8420"), ("192.168.1.2:80", "http://192.168.1.2"),
        (" http://attic.local:8421/ ", "http://attic.local:8421"),
        ("https://a-b.trycloudflare.com", "https://a-b.trycloudflare.com"),
        ("HTTPS://attic:8420", "https://attic:8420"), ("[::1]:9000", "http://[::1]:9000"),
        ("::1", "http://[::1]:8420"), ("fe80::1%eth0", "http://[fe80::1%25eth0]:8420"),
    ])
    func whatPeopleType(text: String, address: String) {
        #expect(HostAddress(text)?.description == address)
    }

    @Test(arguments: [
        "", "http://", "ftp://attic", "attic:0", "attic:65536", "attic:x", "a b", "attic/path", "[::1",
        "http://attic@evil", "attic\r\nX: y",
    ])
    func whatIsNoAddress(text: String) { #expect(HostAddress(text) == nil) }

    @Test("Query values are percent-encoded")
    func queriesAreEscaped() {
        let address = HostAddress(name: "attic", port: 80)
        #expect(
            address.address(
                of: "/api/tracks?v=1", query: [("q", "Tøp & Söhne+"), ("year", nil), ("limit", "5")])
                == "http://attic/api/tracks?v=1&q=T%C3%B8p%20%26%20S%C3%B6hne%2B&limit=5")
    }
}
