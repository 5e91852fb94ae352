/** A hash of all files of the page, which the host declares above the service worker's script. */
declare const VERSION: string;
