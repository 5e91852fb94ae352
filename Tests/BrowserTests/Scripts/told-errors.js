// Put before the page's own scripts by tests in browsers whose driver does not say what the console was told.
(() => {
    const told = window.toldErrors = [];
    const { error } = console;
    console.error = (...parts) => {
        told.push(parts.map(String).join(' '));
        error.apply(console, parts);
    };
    // Caught on the way down, so that files that do not load are among them.
    addEventListener('error', event => told.push(event.message ?? `not loaded: ${event.target.src ?? event.target.href}`), true);
    addEventListener('unhandledrejection', event => told.push(`unhandled: ${event.reason}\n${event.reason?.stack ?? ''}`));
    document.addEventListener('securitypolicyviolation', event => told.push(`forbidden by ${event.violatedDirective}: ${event.blockedURI}`));
})();
