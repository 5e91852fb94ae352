import { App } from './app.js';
import { Settings } from './host/settings.js';
import { useLanguage } from './texts/text.js';

await useLanguage(new Settings().get('appearance.language'));
const app = new App();
await app.start();
document.documentElement.dataset.ready = 'true';
