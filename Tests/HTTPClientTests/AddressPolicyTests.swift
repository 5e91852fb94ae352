import Foundation
import TestSupport
import Testing

@testable import HTTPClient

@Suite("Allowed addresses", .timeLimit(.minutes(5)))
struct AddressPolicyTests {
    @Test(
        "Addresses that are not public are refused",
        arguments: [
            "127.0.0.1", "127.255.255.254", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255",
            "192.168.0.1",
            "169.254.169.254", "100.64.0.1", "100.100.100.200", "192.0.0.192", "198.18.0.1", "224.0.0.1",
            "255.255.255.255", "168.63.129.16", "::1", "::", "fe80::1", "fc00::1", "fd00:ec2::254", "ff02::1",
            "::ffff:127.0.0.1", "::ffff:10.1.2.3", "64:ff9b::a9fe:a9fe", "2002:7f00:1::1", "2002:c0a8:101::",
            "64:ff9b:1::1", "2001:db8::1", "2001::1", "100::1", "::127.0.0.1",
        ])
    func refused(_ text: String) throws {
        #expect(!AddressPolicy().permits(try #require(NetworkAddress(text))))
    }

    @Test(
        "Public addresses are allowed",
        arguments: [
            "1.1.1.1", "9.255.255.255", "11.0.0.0", "172.15.255.255", "172.32.0.0", "100.63.255.255",
            "100.128.0.0",
            "169.253.0.1", "192.167.255.255", "223.255.255.255", "2606:4700::1111", "2a00::1",
            "64:ff9b::101:101",
            "2002:101:101::1", "::ffff:1.1.1.1",
        ])
    func allowed(_ text: String) throws {
        #expect(AddressPolicy().permits(try #require(NetworkAddress(text))))
    }

    @Test("Listed networks are allowed, and no others")
    func listed() throws {
        let range = try #require(NetworkRange("192.168.4.0/22"))
        let policy = AddressPolicy(allowed: [range, try #require(NetworkRange("fd12::/16"))])
        for (text, isAllowed) in [
            ("192.168.4.0", true), ("192.168.7.255", true), ("192.168.8.0", false), ("192.168.3.255", false),
            ("fd12::1", true), ("fd13::1", false), ("::ffff:192.168.5.5", true), ("127.0.0.1", false),
        ] { #expect(policy.permits(try #require(NetworkAddress(text))) == isAllowed, "\(text)") }
    }

    @Test(
        "Malformed networks are rejected",
        arguments: [
            "", "localhost", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10/8", "fd00::/129", "1.2.3.4/8/8",
        ])
    func malformed(_ text: String) { #expect(NetworkRange(text) == nil) }

    @Test(
        "A request to a refused address is not sent, however the address is written",
        arguments: ["127.0.0.1", "localhost", "0x7f.1", "2130706433", "127.1", "[::ffff:127.0.0.1]"])
    func names(_ name: String) throws {
        let server = try FaultyServer(["/a": FaultyServer.Resource([1, 2, 3])])
        let loop = TransferLoop(userAgent: "test")
        var request = TransferRequest(address: "http://\(name):\(server.port)/a")
        request.policy = AddressPolicy()
        let error = #expect(throws: HTTPClientError.self) { try loop.answerBlocking(to: request, limit: 100) }
        #expect(error?.code == .forbiddenAddress && server.requests.isEmpty)
    }

    @Test("A redirection to a refused address is not followed")
    func redirection() throws {
        // The first server is in a listed network, the other one is not.
        let secret = try FaultyServer(["/secret": FaultyServer.Resource([1, 2, 3])])
        let station = try RadioServer([0], bytesPerSecond: 1)
        station.redirect("/a", to: "http://127.0.0.2:\(secret.port)/secret")
        station.redirect("/b", to: "/c")
        station.serve([7], type: "audio/mpeg", at: "/c")
        let loop = TransferLoop(userAgent: "test")
        var request = TransferRequest(address: station.address("/a"))
        request.redirectionLimit = 5
        request.policy = AddressPolicy(allowed: [try #require(NetworkRange("127.0.0.1"))])
        let error = #expect(throws: HTTPClientError.self) { try loop.answerBlocking(to: request, limit: 100) }
        #expect(error?.code == .forbiddenAddress && secret.requests.isEmpty)
        request.address = station.address("/b")
        #expect(try loop.answerBlocking(to: request, limit: 100).body == [7])
    }
}
