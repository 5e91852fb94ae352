package import MusicShared
internal import SQLiteDatabase

extension CatalogueReader {
    /// Returns the years of all available tracks in ascending order, each with the number of its tracks.
    package func years() throws -> [YearItem] {
        let sql = """
            SELECT year, count(*) AS track_count FROM tracks INDEXED BY tracks_ordered_by_year
            WHERE unavailable_since_ms IS NULL AND year IS NOT NULL GROUP BY year ORDER BY year
            """
        // Years and numbers in turn.
        let numbers = try remembered(sql, []) {
            var numbers: [Int] = []
            try database.forEach(sql) { row in
                numbers.append(try row["year"])
                numbers.append(try row["track_count"])
            }
            return numbers
        }
        return stride(from: 0, to: numbers.count, by: 2).map { place in
            YearItem(year: numbers[place], trackCount: numbers[place + 1])
        }
    }
}
