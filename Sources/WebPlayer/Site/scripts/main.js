import { App } from './app.js';

const app = new App();
await app.start();
document.documentElement.dataset.ready = 'true';
