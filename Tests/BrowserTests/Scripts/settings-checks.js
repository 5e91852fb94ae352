// Export and import of settings with the page's own controls.

const group = (title) => one(`.settings-group[aria-label="${title}"]`);
const labelled = (title, label) => group(title).querySelector(`[aria-label="${label}"]`);
const choose = (title, label, name) => labelled(title, label).querySelector(`[data-name="${name}"]`).click();
const flip = (title, label) => labelled(title, label).click();
const slide = (title, label, value) => {
    const slider = labelled(title, label);
    slider.value = value;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
};
const button = (text) => [...group('Backup').querySelectorAll('button')].find((each) => each.textContent === text);
/** The stored settings, and some of the values shown. */
const state = () => ({
    kept: JSON.stringify(Object.entries(JSON.parse(localStorage.getItem('settings') ?? '{}')).sort()),
    shown: JSON.stringify({
        theme: labelled('Appearance', 'Theme').querySelector('[aria-checked=true]').dataset.name,
        crossfade: labelled('Playback', 'Crossfade').checked,
        target: labelled('Playback', 'Target loudness').value,
        style: labelled('Visualizer, full player', 'Style').querySelector('[aria-checked=true]').dataset.name,
        points: labelled('Visualizer, full player', 'Points').value,
        colour: labelled('Visualizer, mini player', 'Custom colour').value,
        scheme: document.documentElement.dataset.theme ?? '',
        speed: one('.player-bar, .bar')?.textContent ?? '',
    }),
});
const take = (text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'some.json', { type: 'application/json' }));
    const input = group('Backup').querySelector('input[type=file]');
    for (const note of all('.toast')) note.remove();
    input.files = data.files;
    input.dispatchEvent(new Event('change'));
    return until('the notification', () => one('.toast')?.textContent);
};

const checks = {
    async chosen(key) {
        const input = await until('the connection page', () => one('#connect-key'));
        input.value = key;
        input.form.requestSubmit();
        await until('the page', () => one('.scroller'));
        location.hash = '/settings';
        await until('the settings', () => group('Backup'));
        choose('Appearance', 'Theme', 'dark');
        flip('Playback', 'Crossfade');
        slide('Playback', 'Target loudness', '-20');
        slide('Playback', 'Speed', '1.25');
        choose('Visualizer, full player', 'Style', 'siri');
        slide('Visualizer, full player', 'Points', '48');
        choose('Visualizer, mini player', 'Colour', 'custom');
        labelled('Visualizer, mini player', 'Custom colour').value = '#00ff80';
        labelled('Visualizer, mini player', 'Custom colour').dispatchEvent(new Event('input', { bubbles: true }));
        button('Export').click();
        return { ...state(), version: one('#about-version').textContent };
    },
    async changed() {
        choose('Appearance', 'Theme', 'light');
        flip('Playback', 'Crossfade');
        flip('Playback', 'Gapless');
        slide('Playback', 'Target loudness', '-14');
        choose('Visualizer, full player', 'Style', 'bar');
        slide('Visualizer, full player', 'Points', '9');
        return state();
    },
    async imported(key, text) {
        // A mebibyte is too large for a command line.
        const said = await take(text === 'large' ? ' '.repeat(2 ** 20 + 1) : text);
        return { said, ...state() };
    },
    /** Settings whose rule forbids their initial value. */
    async rules() {
        const { SETTINGS } = await import('/player/scripts/host/settings-table.js');
        const settings = Object.entries(SETTINGS);
        return {
            count: String(settings.length),
            forbidden: settings.filter(([, { initial, allows }]) => !allows(initial)).map(([key]) => key).join(),
            polluted: String({}.polluted),
        };
    },
};
