import StreamClient
import Testing

@Suite("URL masking")
struct AddressMaskTests {
    @Test(
        "Secrets are masked, everything else is unchanged",
        arguments: [
            (
                "http://a:8420/tracks/1/stream.m3u8?token=abc.def-1",
                "http://a:8420/tracks/1/stream.m3u8?token=***"
            ),
            ("http://a/x?quality=low&api_key=k1&n=2#z", "http://a/x?quality=low&api_key=***&n=2#z"),
            ("http://a/rest/stream?u=me&t=26719a&s=c19b&id=3", "http://a/rest/stream?u=me&t=***&s=***&id=3"),
            ("https://me:pass@radio.example/live", "https://***@radio.example/live"),
            ("no such file: http://a/b?Access_Token=x y", "no such file: http://a/b?Access_Token=*** y"),
            ("http://a/b?page=2&offset=10", "http://a/b?page=2&offset=10"),
            ("me@home: http://a/b", "me@home: http://a/b"),
        ])
    func masked(_ text: String, _ shown: String) {
        #expect(AddressMask.masked(text) == shown)
    }
}
