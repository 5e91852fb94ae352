extension Database {
    /// Looks for damage: nil if the file is sound, otherwise what is wrong. Reads the whole file.
    public func damage() throws(DatabaseError) -> String? {
        let report: String? = try scalar("PRAGMA quick_check(1)")
        return report == "ok" ? nil : report
    }
}
