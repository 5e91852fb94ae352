import { CoverColours } from '/player/scripts/visualizer/colours/cover-colours.js';
import { FrameStore } from '/player/scripts/visualizer/frames/frame-store.js';
import { Visualizer } from '/player/scripts/visualizer/visualizer.js';
import { PlainClient, PlainSettings, SilentPlayer } from './stand-ins.js';

const client = new PlainClient();
const settings = new PlainSettings();
const player = new SilentPlayer();
const frames = new FrameStore(client);
const colours = new CoverColours(client);
const make = scope => new Visualizer(document.getElementById(scope), { player, settings, scope, frames, colours });
const full = make('full');
const mini = make('mini');

/** Runs a visualizer on a made clock for so long before a position. */
function runTo(visualizer, position, seconds = 2, rate = 60) {
    const count = Math.round(seconds * rate);
    for (let frame = 0; frame <= count; frame++) {
        player.position = position - seconds + frame / rate;
        page.clock += 1000 / rate;
        visualizer.draw(page.clock);
    }
}

const page = { client, settings, player, frames, colours, full, mini, make, runTo, clock: 1e6 };
globalThis.page = page;
globalThis.isReady = true;
