// The notice on unavailable folders in the view “Host”.

const card = () => all('.settings-group').find((each) => each.querySelector('h2')?.textContent === 'Unavailable folders');
const removal = () => card().querySelector('button.is-danger');
const trackCount = async (key) =>
    (await (await fetch('/health', { headers: { Authorization: `Bearer ${key}` } })).json()).track_count;

const checks = {
    async begin(key) {
        await signIn(key);
        await until('the host to have all tracks', async () => await trackCount(key) === 3);
        location.hash = '/manage';
        const tab = await until('the tab of the host', () => all('[role=tab]').find((each) => each.textContent === 'Host'));
        tab.click();
        await until('the card', card);
        return { isHidden: card().hidden };
    },

    async shown() {
        await until('the notice', () => !card().hidden && card().textContent.includes('linked'));
        removal().scrollIntoView({ block: 'center' });
        const box = removal().getBoundingClientRect();
        const row = removal().closest('.setting');
        // Pixels by which anything of the row lies outside the window.
        const edges = [row, ...row.querySelectorAll('*')].map((each) => each.getBoundingClientRect());
        const beyond = Math.max(0, ...edges.map((each) => Math.max(-each.left, each.right - innerWidth)));
        return { text: card().textContent, beyond: Math.round(beyond), height: box.height };
    },

    async ask(key) {
        removal().click();
        const question = await until('the question', () => one('dialog.sheet h2')?.textContent);
        return { question, tracks: await trackCount(key) };
    },

    async confirm(key) {
        one('dialog.sheet .is-danger').click();
        await until('the notice to go', () => card().hidden);
        const note = await until('a note', () => one('.manage-panel .manage-note')?.textContent);
        return { note, isHidden: card().hidden, tracks: await trackCount(key) };
    },
};
