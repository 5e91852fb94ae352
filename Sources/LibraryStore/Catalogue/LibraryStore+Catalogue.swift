package import Catalogue
internal import SQLiteDatabase

extension LibraryStore {
    /// Reads the catalogue in one transaction.
    package func catalogue<Value>(_ body: (CatalogueReader) throws -> Value) throws -> Value {
        try read { try body(CatalogueReader(database: $0, smart: smartPlaylists)) }
    }
}
