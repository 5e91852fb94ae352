internal import MusicShared
internal import SQLiteDatabase

// The mount points inside the music folder, stored so that an unmounted folder is recognised after a
// restart too.
extension WorkStore {
    /// The folders that were mounted when last seen; nil is the music folder itself.
    package func mountedFolders() throws -> Set<RelativePath?> {
        try read { database in
            let texts: [String] = try database.values("SELECT relative_path FROM mounted_folders")
            return Set(texts.map { $0 == UnavailableFolder.musicFolder ? nil : RelativePath(text: $0) })
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
