/// Identifies the state of each part that a host which follows another one copies.
struct ReplicaState: Codable, Sendable, Equatable {
    /// The last change of a row of the library.
    var rows: String
    /// The last change of the catalogue.
    var catalogue: String
    /// The state of the accounts and the listening data.
    var listening: String
    /// The state of the app passwords and roles.
    var credentials: String
}
