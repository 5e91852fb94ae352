import PostgreSQLDatabase
import Testing

@Suite("Addresses of PostgreSQL databases")
struct PostgreSQLAddressTests {
    @Test(
        "Messages name servers and database, but neither user nor password",
        arguments: [
            (
                "postgres://anna:secret@db.example.com:5433/music", "postgres://db.example.com:5433/music",
                true
            ),
            ("postgresql://db/music?sslmode=require", "postgres://db/music", false),
            ("postgres://anna@a,b:5433/music", "postgres://a,b:5433/music", false),
            ("postgres://anna@%2Frun%2Fpostgresql/music", "postgres:///run/postgresql/music", false),
            ("postgres://anna@db/music?password=secret", "postgres://db/music", true),
            ("postgres:///music", "postgres://localhost/music", false),
        ])
    func place(text: String, place: String, hasPassword: Bool) throws {
        let address = try PostgreSQLAddress(text)
        #expect(address.place == place)
        #expect(address.hasPassword == hasPassword)
    }

    @Test(
        "Anything else is refused without repeating it",
        arguments: [
            "", "db.example.com", "mysql://db/music", "postgres://secret@db:port:port/x?nonsense=secret",
        ])
    func malformed(text: String) {
        #expect {
            try PostgreSQLAddress(text)
        } throws: {
            let message = "\($0)"
            return message.contains("postgres://") && !message.contains("secret")
        }
    }
}
