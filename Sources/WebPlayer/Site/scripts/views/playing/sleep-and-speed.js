import { SPEED } from '../../host/settings-table.js';
import { showMenu } from '../parts/menu.js';
import { iconButton } from '../parts/buttons.js';
import { toast } from '../parts/toast.js';

/** @typedef {Pick<import('../../app.js').App, 'player'>} Parts what this module uses of the page */

const MINUTES = [5, 15, 30, 45, 60, 90];
/** Playback speeds in the menu. */
const SPEEDS = [SPEED.least, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 2, SPEED.most];

/**
 * Creates the sleep timer button.
 * @param {Parts} app
 * @param {AbortSignal} [signal] stops it
 */
export function sleepButton(app, signal) {
    const { player } = app;
    const button = iconButton('sleep', 'Sleep timer', () =>
        showMenu(
            [
                ...MINUTES.map((minutes) => ({
                    label: `In ${minutes} minutes`,
                    icon: 'sleep',
                    action: () => {
                        player.sleepAt(Date.now() + minutes * 60_000);
                        toast(`Playback stops in ${minutes} minutes`);
                    },
                })),
                {
                    label: 'End of this song',
                    icon: 'sleep',
                    isChecked: player.sleep === 'end-of-track',
                    action: () => player.sleepAt('end-of-track'),
                },
                ...(player.sleep ? [null, { label: 'Turn off', icon: 'close', action: () => player.sleepAt(null) }] : []),
            ],
            button,
            'Sleep timer',
        ));
    const draw = () => {
        const left = player.sleepsIn;
        const text = player.sleep === 'end-of-track'
            ? 'Sleep timer: end of this song'
            : left === null || left === undefined
            ? 'Sleep timer'
            : `Sleep timer: ${Math.ceil(left / 60_000)} min left`;
        button.setAttribute('aria-pressed', String(Boolean(player.sleep)));
        button.setAttribute('aria-label', text);
        button.title = text;
        button.dataset.badge = left ? String(Math.ceil(left / 60_000)) : '';
    };
    for (const type of ['sleep', 'state', 'track']) player.addEventListener(type, draw, { signal });
    const timer = setInterval(draw, 15_000);
    signal?.addEventListener('abort', () => clearInterval(timer));
    draw();
    return button;
}

/**
 * Creates the playback speed button.
 * @param {Parts} app
 */
export function speedButton(app, signal) {
    const { player } = app;
    const button = iconButton('speed', 'Speed', () =>
        showMenu(
            SPEEDS.map((speed) => ({
                label: speed === 1 ? 'Normal' : `${speed} ×`,
                icon: 'speed',
                isChecked: player.speed === speed,
                action: () => {
                    player.speed = speed;
                },
            })),
            button,
            'Speed',
        ));
    const draw = () => {
        button.setAttribute('aria-pressed', String(player.speed !== 1));
        button.setAttribute('aria-label', player.speed === 1 ? 'Speed' : `Speed, ${player.speed} times`);
        button.dataset.badge = player.speed === 1 ? '' : `${player.speed}`;
    };
    player.addEventListener('speed', draw, { signal });
    draw();
    return button;
}
