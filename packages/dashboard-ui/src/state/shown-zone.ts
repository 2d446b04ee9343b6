import { signal } from '@preact/signals';

/** The zone that the browser is set to. */
export const BROWSER_ZONE = new Intl.DateTimeFormat('en').resolvedOptions().timeZone;

/** The zone that times are shown in and calendars are counted by: `Europe/Berlin`. */
export const shownZone = signal(BROWSER_ZONE);
