import Foundation
import TestSupport
import Testing

/// The page of the API reference in a browser.
@Suite("API reference page", .timeLimit(.minutes(30)))
struct APIReferencePageTests {
    @Test("A request is sent with the key, and the answer is shown", .onlyInChromium)
    func request() async throws {
        let music = try Encoders.lame(.music(frameCount: 5 * 44_100, seed: 7), ["-b", "96"])
        try await PlayedLibrary.with([("a.mp3", music)]) { played in
            try await WebBrowser.with(open: "\(played.base)/docs", errors: .containing(["401"])) { browser in
                let shown = try await browser.run(Self.script, [played.key])
                #expect((shown["refused"] as? String)?.hasPrefix("401") == true)
                #expect((shown["status"] as? String)?.hasPrefix("200") == true)
                #expect((shown["answer"] as? String)?.contains("a.mp3") == true)
                #expect(shown["found"] as? [String] == ["track"])
                // A phone's width.
                _ = try await browser.resize(width: 390, height: 800)
                let phone = try await browser.run(
                    "const page = document.documentElement; return {wide: page.scrollWidth - page.clientWidth};"
                )
                #expect((phone["wide"] as? NSNumber)?.intValue == 0)
            }
        }
    }

    private static let script = """
        const until = async condition => {
          for (let i = 0; i < 400; i += 1) {
            const value = condition();
            if (value) return value;
            await new Promise(resolve => setTimeout(resolve, 25));
          }
          throw new Error(`never: ${condition}`);
        };
        const form = document.querySelector('form[data-method=GET][data-path="/api/tracks/{id}"]');
        const operation = form.closest('details');
        await until(() => form.querySelector('button'));
        operation.open = true;
        const status = () => form.querySelector('.status')?.textContent;
        form.querySelector('[name=id]').value = '1';
        form.querySelector('button').click();
        const refused = await until(status);
        document.querySelector('#key').value = args[0];
        form.querySelector('button').click();
        const answered = await until(() => status()?.startsWith('200') && status());
        const answer = form.querySelector('.answer').textContent;
        const filter = document.querySelector('#filter');
        filter.value = `GET ${form.dataset.path}`;
        filter.dispatchEvent(new Event('input'));
        const found = [...document.querySelectorAll('.operation:not([hidden])')]
            .filter(each => each.querySelector('form').dataset.path === '/api/tracks/{id}').map(each => each.id);
        return {refused, status: answered, answer, found};
        """
}
