import { playerBar } from './player-bar.js';
import { radioBar } from './radio-bar.js';

/**
 * Creates the bars of the player and of the radio, of which one is shown.
 * @param {Parameters<typeof playerBar>[0] & Parameters<typeof radioBar>[0]} app
 */
export function playerBars(app) {
    const listeners = new AbortController();
    const { signal } = listeners;
    return { elements: [playerBar(app, signal).element, radioBar(app, signal).element], close: () => listeners.abort() };
}
