import Foundation
import StreamClient
import TestSupport
import Testing

@Suite struct HostBookTests {
    let attic = KnownHost(id: "attic", name: "Attic", addresses: [HostAddress(name: "attic.local")], key: "k")
    let studio = KnownHost(id: "studio", name: "Studio", addresses: [])

    @Test("Hosts are stored persistently")
    func hostsAreThereTheNextTime() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("client/hosts.json")
        let book = try HostBook(path: path)
        #expect(book.all.isEmpty)
        try book.keep(attic)
        try book.keep(studio)
        #expect(try HostBook(path: path).all == [studio, attic])
        let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(permissions as? Int == 0o600)

        var renamed = attic
        renamed.name = "Loft"
        try book.keep(renamed, asFirst: false)
        #expect(book.all == [studio, renamed])
        try book.forget(id: "studio")
        #expect(try HostBook(path: path).all == [renamed])
    }

    @Test("A damaged file is not overwritten")
    func aDamagedFileIsNotThrownAway() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(Array("{".utf8), as: "hosts.json")
        #expect(throws: ClientError.self) { try HostBook(path: path) }
        #expect(try directory.read("hosts.json") == Array("{".utf8))
    }
}
