import TestSupport
import Testing

/// The player's views on screens of all sizes.
extension PlayerPageSurroundingsTests {
    /// The Escape key in WebDriver.
    private static let escape: Character = "\u{E00C}"

    @Test("Escape closes one layer at a time and does not navigate back further than the player")
    func escape() async throws {
        try await onPage { browser, check in
            _ = try await check("songsAfterAlbum")
            // Real clicks: without user activation, Chromium closes all dialogs opened by a script on one Escape.
            try await browser.click(".bar-title")
            try await browser.click(".now-head [aria-label='More']")
            _ = try await check("unfocused")
            try await browser.press(Self.escape)
            #expect(try await open(check) == ["player"], "from a menu")
            for each in ["[data-panel=queue]", "[aria-label='Save queue as playlist']", ".menu .menu-item"] {
                try await browser.click(".now \(each)")
            }
            #expect(try await open(check) == ["player", "sheet"])
            try await browser.press(Self.escape)
            #expect(try await open(check) == ["player"], "from a sheet")
            _ = try await check("focusedRowButton")
            try await browser.press(Self.escape)
            #expect(try await open(check) == ["player"], "from the button of a row")
            // The second one is pressed while the player is closing.
            try await browser.press(Self.escape)
            try await browser.press(Self.escape)
            let end = try await check("standing")
            #expect(end["open"] as? [String] == [])
            #expect(end["path"] as? String == "#/songs")
            #expect(end["playing"] as? Bool == true)
        }
    }

    private func open(_ check: Check) async throws -> [String]? {
        try await check("standing")["open"] as? [String]
    }

    @Test(
        "All controls of the player are on screen, large enough and not covered",
        .onlyInChromium,
        arguments: [
            Screen(width: 844, height: 390, isPhone: true), Screen(width: 667, height: 375, isPhone: true),
            Screen(width: 568, height: 320, isPhone: true), Screen(width: 320, height: 568, isPhone: true),
            .phone, Screen(width: 1280, height: 800, isPhone: false),
        ])
    func controls(on screen: Screen) async throws {
        try await onPage(before: { try await show(screen, in: $0) }) { _, check in
            let told = try await check("playerControls")
            #expect(told["bad"] as? [String] == [])
            let cover = try #require(told["cover"] as? [Double])
            #expect(abs(cover[0] - cover[1]) < 1)
            // More than a third of the shorter side.
            #expect(cover[0] > Double(min(screen.width, screen.height)) / 3)
            // Lyrics and queue have room for several lines.
            let side = try #require(told["side"] as? [Double])
            #expect(side[0] > 200 && side[1] > 150)
        }
    }

    @Test("Tapping the artist in a row plays the song", .onlyInChromium)
    func tappedArtist() async throws {
        try await onPage(before: { try await show(.phone, in: $0) }) { browser, check in
            let place = try await check("artistOfRow")
            try await browser.tap(
                x: try #require(place["x"] as? Double), y: try #require(place["y"] as? Double))
            let told = try await check("afterTap")
            #expect(told["path"] as? String == "#/songs")
            #expect(told["title"] as? String == place["title"] as? String)
        }
    }

    @Test("Hover styles do not apply on touch screens, where they would persist after a tap")
    func hovering() async throws {
        try await onPage { _, check in
            let told = try await check("hoverRules")
            #expect(told["sticking"] as? [String] == [])
            #expect((told["count"] as? Int ?? 0) > 20)
        }
    }
}
