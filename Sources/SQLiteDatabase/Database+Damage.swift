extension Database {
    /// Checks for damage: returns nil if the file is intact, otherwise a description. Reads the whole file.
    package func damage() throws(DatabaseError) -> String? {
        let report: String? = try scalar("PRAGMA quick_check(1)")
        return report == "ok" ? nil : report
    }
}
