internal import MusicShared
internal import SQLiteDatabase

// The mount points inside the music folder, stored so that an unmounted folder is recognised after a
// restart too.
extension WorkStore {
    /// The folders that were mounted when last seen; nil is the music folder itself.
    package func mountedFolders() throws -> Set<RelativePath?> {
        try read { database in
            Set(
                try database.fetchAll("SELECT relative_path FROM mounted_folders") { row -> RelativePath? in
                    let text: String = try row[0]
                    return text == UnavailableFolder.musicFolder ? nil : RelativePath(text: text)
                })
        }
    }

    /// Replaces the stored set of mounted folders.
    package func setMountedFolders(_ folders: Set<RelativePath?>) throws {
        guard try mountedFolders() != folders else { return }
        try write { database in
            try database.execute("DELETE FROM mounted_folders")
            for folder in folders {
                try database.execute(
                    "INSERT INTO mounted_folders (relative_path) VALUES (?)",
                    [folder?.text ?? UnavailableFolder.musicFolder])
            }
        }
    }
}
