import Testing

@testable import Secrets

@Suite("Secrets")
struct SecretsTests {
    // RFC 4231, test cases 1, 2 and 6 (a key longer than the hash's block).
    @Test(
        "HMAC-SHA-256 gives the RFC's signatures",
        arguments: [
            (
                [UInt8](repeating: 0x0B, count: 20), "Hi There",
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xAA, count: 131),
                "Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ])
    func signatures(key: [UInt8], message: String, expected: String) {
        let signature = SecretBytes(key).signature(of: Array(message.utf8))
        let hex = signature.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(hex == expected)
    }

    @Test("Secrets match only themselves, and describe nothing")
    func matching() {
        let secret = SecretBytes(random: 32)
        #expect(secret.matches(secret.bytes))
        #expect(!secret.matches(Array(secret.bytes.dropLast())))
        #expect(!secret.matches([]))
        #expect(!secret.matches(secret.bytes.map { $0 ^ 1 }))
        #expect(SecretBytes(random: 32).bytes != secret.bytes)
        #expect("\(secret)" == "<secret>")
    }

    // RFC 4648, section 10, with the alphabet of section 5 and without padding.
    @Test(
        "Base64 for URLs",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ])
    func base64(plain: String, coded: String) {
        #expect(Base64URL.encode(Array(plain.utf8)) == coded)
        #expect(Base64URL.decode(coded) == Array(plain.utf8))
    }

    @Test("All bytes survive, and what no encoder writes is refused")
    func base64Edges() {
        let all = (0...255).map { UInt8($0) }
        #expect(Base64URL.decode(Base64URL.encode(all)) == all)
        #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
        for text in ["A", "Zg==", "Z g", "Zh", "+/8", "ä"] {
            #expect(Base64URL.decode(text) == nil, "\(text)")
        }
    }
}
