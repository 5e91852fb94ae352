import Companion
import Foundation
import MusicFiles
import Tagging
import Testing
import TestSupport

/// Texts that were written in one encoding and read in another, generated with Python's codecs.
@Suite("Mojibake")
struct MojibakeTests {
    /// Encodes a text in one encoding and decodes it in another.
    private static func garbled(_ text: String, _ written: String, read: String) throws -> String {
        let code = """
            import sys
            text = bytes.fromhex(sys.argv[1]).decode('utf-8')
            print(text.encode(sys.argv[2]).decode(sys.argv[3]).encode('utf-8').hex())
            """
        let hexadecimal = text.utf8.map { String(format: "%02x", $0) }.joined()
        let run = try ProcessRun.run("python3", ["-c", code, hexadecimal, written, read])
        let digits = Array(run.text.trimmingCharacters(in: .whitespacesAndNewlines))
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0..<$0 + 2]), radix: 16)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func repaired(_ text: String) -> String? {
        Mojibake.repairs(of: [.title: text])[.title]
    }

    @Test(
        "UTF-8 that was read as Latin-1 or Windows-1252 is repaired",
        arguments: [
            "Café del Mar", "Sigur Rós – Ágætis byrjun", "Motörhead", "Weiße Straße", "Noël", "Übermensch",
            "Кино – Группа крови", "Björk: Jóga", "椎名林檎", "東京事変 – 群青日和", "Ελληνικά τραγούδια", "שלום עולם",
            "Don’t Stop", "🎺 Miles", "Dvořák: Rusalka", "Maître Gims", "L’été indien", "İstanbul şarkısı",
        ], ["latin-1", "cp1252"])
    func utf8(text: String, read: String) throws {
        // Five bytes are unassigned in Windows-1252.
        guard let garbled = try? Self.garbled(text, "utf-8", read: read) else { return }
        #expect(garbled != text)
        #expect(Self.repaired(garbled) == text)
        // Garbled twice in the same way.
        if let twice = try? Self.garbled(garbled, "utf-8", read: read) {
            #expect(Self.repaired(twice) == text)
        }
    }

    @Test(
        "Windows-1251 that was read as Latin-1 is repaired",
        arguments: [
            "Группа крови", "Звезда по имени Солнце", "Высоцкий", "Хочу перемен!", "Пачка сигарет",
            "Аквариум – Русский альбом", "ДДТ – Что такое осень", "Океан Ельзи – Обійми", "Ляпис Трубецкой",
            "МУМИЙ ТРОЛЛЬ", "01. Последний герой",
        ], ["latin-1", "cp1252"])
    func cyrillic(text: String, read: String) throws {
        guard let garbled = try? Self.garbled(text, "cp1251", read: read) else { return }
        #expect(Self.repaired(garbled) == text)
    }

    @Test(
        "Shift-JIS that was read as Latin-1 is repaired",
        arguments: [
            "テスト", "さくら（独唱）", "宇多田ヒカル", "となりのトトロ", "浜崎あゆみ", "ポルノグラフィティ", "First Love を聴く",
        ], ["latin-1", "cp1252"])
    func shiftJIS(text: String, read: String) throws {
        guard let garbled = try? Self.garbled(text, "shift_jis", read: read) else { return }
        #expect(Self.repaired(garbled) == text)
    }

    @Test(
        "Text that is or may be intact is never changed",
        arguments: [
            "Plain", "Café", "Motörhead", "Sigur Rós", "Ágætis byrjun", "CAFÉ’S", "AMANHÃ’S", "São Paulo",
            "NÃO", "« Liberté\u{A0}»", "“Été”", "Æther", "Þórunn", "Ångström", "Åäö", "Été à Öland",
            "Naïve “Ça va?”", "„Größe“", "Ünlü", "Ørsted", "É", "àèìòù", "ÄÖÜ", "Âme", "Âge d’Or", "Ÿ",
            "Ñandú",
            "Ã", "©2001", "10 °C", "½ Mensch", "£100", "Señor – Mañana…", "L’Élève", "Кино", "日本語", "שלום",
            "B’z",
            "ƒ", "ƒ-stop", "‚so‘", "100 % “Öl”", "Ð Þ", "Dvořák", "Straße", "Don\u{92}t", "\u{93}Hi\u{94}",
            "Êtes-vous là?", "Öö", "Žižek", "Mötley Crüe", "Ääää", "Ôôôô", "ÀÉÎÕÜ",
        ])
    func sound(text: String) { #expect(Self.repaired(text) == nil) }

    @Test(
        "Other encodings that were read as Latin-1 are not confused with these",
        arguments: [
            ("Κική και Κόκα", "cp1253"), ("Το τραγούδι της ερήμου", "cp1253"), ("Μίκης Θεοδωράκης", "cp1253"),
            ("Χάρις Αλεξίου", "cp1253"), ("Αγάπη", "cp1253"), ("Όλα σε θυμίζουν", "cp1253"),
            ("Группа крови", "koi8_r"), ("ГРУППА КРОВИ", "koi8_r"), ("Звезда", "iso8859_5"),
            ("ירושלים של זהב", "cp1255"), ("周杰伦", "gbk"), ("月亮代表我的心", "gbk"), ("鄧麗君", "big5"),
            ("소녀시대", "euc_kr"), ("فيروز", "cp1256"), ("สวัสดี", "tis_620"), ("İbrahim Tatlıses", "cp1254"),
            ("Żółć i łąka", "cp1250"), ("さくら", "euc_jp"), ("Příliš žluťoučký kůň", "cp1250"),
        ])
    func others(text: String, encoding: String) throws {
        #expect(Self.repaired(try Self.garbled(text, encoding, read: "latin-1")) == nil)
    }

    @Test("A text too short to be certain is repaired together with a certain one of the same file")
    func together() throws {
        let title = try Self.garbled("Кино", "cp1251", read: "latin-1")
        let album = try Self.garbled("Группа крови", "cp1251", read: "latin-1")
        #expect(Mojibake.repairs(of: [.artist: title]) == [:])
        #expect(
            Mojibake.repairs(of: [.artist: title, .album: album, .genre: "Rock", .comment: "Café"])
                == [.artist: "Кино", .album: "Группа крови"])
        let kanji = try Self.garbled("椎名林檎", "shift_jis", read: "latin-1")
        let kana = try Self.garbled("カルキ ザーメン", "shift_jis", read: "latin-1")
        #expect(Mojibake.repairs(of: [.artist: kanji]) == [:])
        #expect(Mojibake.repairs(of: [.artist: kanji, .title: kana])[.artist] == "椎名林檎")
    }
}
