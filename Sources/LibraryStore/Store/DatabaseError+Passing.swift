internal import SQLiteDatabase

extension Error {
    /// Whether the operation may succeed later: the disk was full or failed, or another
    /// program had the database locked.
    package var isTransient: Bool {
        guard let error = self as? DatabaseError else { return false }
        let codes: [DatabaseError.Code] = [
            .busy, .locked, .full, .inputOutput, .readOnly, .cannotOpen, .permission, .outOfMemory,
        ]
        return codes.contains(error.code)
    }
}
