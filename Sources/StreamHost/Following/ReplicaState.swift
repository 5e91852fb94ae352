/// What a host that follows another one compares: identifies the state of each part that it copies.
struct ReplicaState: Codable, Sendable, Equatable {
    /// The last change of a row of the library.
    var rows: String
    /// The last change of the catalogue.
    var catalogue: String
    /// The state of the accounts and the listening data.
    var listening: String
    /// The state of the app passwords.
    var credentials: String
}
