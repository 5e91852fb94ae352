import Foundation
import LibraryStore
import MusicFiles
import Tagging

/// Edits one file again and again until it is killed, for tests of what a kill leaves behind: the title goes round
/// "edit 0" … "edit 9", the comment between a short and a long one. With a number of edits as third argument it
/// ends by itself, and says the code of the error it meets.
@main
enum TagEditProbe {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 2, let path = RelativePath(text: arguments[2]) else {
            print("usage: tag-edit-probe MUSIC PATH [COUNT]")
            exit(2)
        }
        let editor = TagEditor(try MusicFolder(path: arguments[1]))
        let limit = arguments.count > 3 ? Int(arguments[3]) ?? 1 : .max
        for round in 0..<limit {
            var edit = TagEdit()
            edit.title = .set("edit \(round % 10)")
            edit.comment = .set(String(repeating: "long ", count: round % 2 == 0 ? 1 : 1_900))
            do {
                _ = try editor.apply(edit, to: path)
            } catch {
                print(error.code.rawValue)
                exit(1)
            }
            if round == 0 {
                FileHandle.standardOutput.write(Data("editing\n".utf8))
            }
        }
    }
}
