import HTTPServer
import Testing
@testable import HostAccounts

@testable import StreamHost

@Suite("Protection from pages of other sites without a key")
struct LocalPagesTests {
    private func status(_ fields: HTTPFields, _ method: HTTPMethod = .get) async -> HTTPStatus {
        let router = Router()
        router.add(LocalPagesMiddleware(hostName: "attic.example.net"))
        router.on(method, "/", execution: .task) { _ in .text("yes") }
        return await router.build().respond(to: HTTPRequest(method, "/", fields: fields)).status
    }

    @Test(
        "Only IP addresses and local names are accepted as Host",
        arguments: [
            ("192.168.1.20:8420", true), ("127.0.0.1", true), ("[fe80::1]:8420", true), ("[::1]", true),
            ("localhost:8420", true), ("attic", true), ("Attic.local:8420", true), ("attic.lan", true),
            ("attic.example.net:8420", true), ("evil.example.org", false), ("192.168.1.20.evil.org", false),
            ("local.evil.org:8420", false),
        ])
    func names(host: String, isLocal: Bool) async {
        #expect(await status([.host: host]) == (isLocal ? .ok : .forbidden))
    }

    @Test("Scripts of other sites are rejected; the host's own page and programs are not")
    func origins() async {
        let host = (HTTPFieldName.host, "attic.local:8420")
        #expect(await status([.host: host.1, .origin: "http://attic.local:8420"], .post) == .ok)
        #expect(await status([.host: host.1, .origin: "https://evil.example.org"], .post) == .forbidden)
        #expect(await status([.host: host.1, .origin: "http://attic.local:9000"], .post) == .forbidden)
        #expect(await status([.host: host.1, .origin: "null"], .post) == .forbidden)
        #expect(await status([.host: host.1], .post) == .ok)
    }

    @Test(
        "Fetch Metadata headers are respected",
        arguments: [
            ("same-origin", "cors", true), ("none", "navigate", true), ("cross-site", "no-cors", false),
            ("cross-site", "cors", false), ("same-site", "cors", false), ("cross-site", "navigate", true),
        ])
    func metadata(site: String, mode: String, isAllowed: Bool) async {
        let fields: HTTPFields = [.host: "attic", .secFetchSite: site, .secFetchMode: mode]
        #expect(await status(fields) == (isAllowed ? .ok : .forbidden))
        #expect(
            await status(fields, .post)
                == (isAllowed && mode != "navigate" || site == "none" ? .ok : .forbidden))
    }
}
