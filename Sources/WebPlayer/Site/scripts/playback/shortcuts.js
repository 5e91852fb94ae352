/** Seconds and shares by which the arrow keys move. */
const SEEK_STEP = 5;
const VOLUME_STEP = 0.05;

/**
 * What keys do, for a help page too. `key` is that of `KeyboardEvent`.
 *
 * @type {{key: string, shift?: boolean, label: string, does: (player: import('./player.js').Player) => void}[]}
 */
export const SHORTCUTS = [
    { key: ' ', label: 'Play or pause', does: (player) => player.toggle() },
    { key: 'k', label: 'Play or pause', does: (player) => player.toggle() },
    { key: 'ArrowRight', label: 'Forward 5 seconds', does: (player) => player.seek(player.position + SEEK_STEP) },
    { key: 'ArrowLeft', label: 'Back 5 seconds', does: (player) => player.seek(player.position - SEEK_STEP) },
    { key: 'ArrowRight', shift: true, label: 'Next track', does: (player) => player.next() },
    { key: 'ArrowLeft', shift: true, label: 'Previous track', does: (player) => player.previous() },
    { key: 'ArrowUp', shift: true, label: 'Louder', does: (player) => { player.volume += VOLUME_STEP; } },
    { key: 'ArrowDown', shift: true, label: 'Quieter', does: (player) => { player.volume -= VOLUME_STEP; } },
    { key: 'm', label: 'Mute', does: (player) => { player.muted = !player.muted; } },
    { key: 's', label: 'Shuffle', does: (player) => { player.queue.shuffle = !player.queue.shuffle; } },
    {
        key: 'r', label: 'Repeat all, one, none',
        does: ({ queue }) => { queue.repeat = { off: 'all', all: 'one', one: 'off' }[queue.repeat]; },
    },
];

/**
 * Makes keys control a player, unless they are meant for what has the focus.
 * @param {import('./player.js').Player} player
 * @param {EventTarget} [target]
 */
export function addShortcuts(player, target = document) {
    target.addEventListener('keydown', (event) => {
        if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return;
        const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
        const found = SHORTCUTS.find((each) => each.key === key && Boolean(each.shift) === event.shiftKey);
        if (!found) return;
        event.preventDefault();
        found.does(player);
    });
}

/** Whether what has the focus does something of its own with a key. */
function isTaken(event) {
    const element = event.target instanceof Element ? event.target : null;
    if (element?.closest('input:not([type=checkbox]), textarea, select, [contenteditable], [role=slider], [role=listbox], [role=grid]')) return true;
    return (event.key === ' ' || event.key === 'Enter') && Boolean(element?.closest('button, a, [role=button], summary, input'));
}
