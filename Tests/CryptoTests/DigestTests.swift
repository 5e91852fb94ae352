import Crypto
import Testing
import TestSupport

@Suite("Digests")
struct DigestTests {
    @Test("MD5 matches the test suite of RFC 1321, and md5sum for lengths around the block size")
    func md5() throws {
        for (text, digest) in [
            ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
            ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
            (
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
                "d174ab98d277d9f5a5611c2c9f419d9f"
            ), (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
        ] {
            #expect(Digest.md5.hexadecimal(of: Array(text.utf8)) == digest)
        }
        let directory = try TemporaryDirectory()
        let lengths = [54, 55, 56, 57, 63, 64, 65, 119, 120, 121, 1000]
        for length in lengths {
            try directory.write((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }, as: "\(length)")
        }
        let run = try ProcessRun.run("md5sum", lengths.map { directory.file("\($0)") })
        for (length, line) in zip(lengths, run.text.split(separator: "\n")) {
            #expect(Digest.md5.hexadecimal(of: try directory.read("\(length)")) == line.prefix(32))
        }
    }

    @Test("SHA-1 matches FIPS 180-4's examples")
    func sha1() {
        for (text, digest) in [
            ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
            ), ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        ] {
            #expect(Digest.sha1.hexadecimal(of: Array(text.utf8)) == digest)
        }
    }

    @Test(
        "SHA-256 matches NIST's examples, however the message is divided", arguments: [1, 7, 64, 1_000_000])
    func sha256(pieceSize: Int) {
        for (text, digest) in [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                String(repeating: "a", count: 1_000_000),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
            ),
        ] {
            let bytes = Array(text.utf8)
            let sum = SHA256()
            for start in stride(from: 0, to: bytes.count, by: pieceSize) {
                sum.update(Array(bytes[start..<min(start + pieceSize, bytes.count)]))
            }
            #expect(sum.finish() == digest)
        }
    }
}
