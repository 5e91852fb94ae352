// Collects console errors in browsers whose driver does not report them. Loaded before the page's own scripts.
(() => {
    const told = window.collectedErrors = [];
    const { error } = console;
    // deno-lint-ignore no-console -- records what the page logs
    console.error = (...parts) => {
        told.push(parts.map(String).join(' '));
        error.apply(console, parts);
    };
    // In the capture phase, which includes files that fail to load.
    addEventListener('error', (event) => told.push(event.message ?? `not loaded: ${event.target.src ?? event.target.href}`), true);
    addEventListener('unhandledrejection', (event) => told.push(`unhandled: ${event.reason}\n${event.reason?.stack ?? ''}`));
    document.addEventListener(
        'securitypolicyviolation',
        (event) => told.push(`forbidden by ${event.violatedDirective}: ${event.blockedURI}`),
    );
})();
