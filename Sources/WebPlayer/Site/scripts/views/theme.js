/** Applies the chosen theme and density to the page. @param {import('../host/settings.js').Settings} settings */
export function followTheme(settings) {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const show = () => {
        const chosen = settings.get('appearance.theme');
        document.documentElement.dataset.theme = chosen === 'system' ? (dark.matches ? 'dark' : 'light') : chosen;
        document.documentElement.dataset.density = settings.get('appearance.density');
    };
    settings.addEventListener('change', (event) => {
        if (event.key.startsWith('appearance.')) show();
    });
    dark.addEventListener('change', show);
    show();
}
