import { effect, signal } from '@preact/signals';
import { storedText, storeText } from './browser-storage.js';
import { place } from './router.js';
import { BROWSER_ZONE, shownZone } from './shown-zone.js';
import { zoneNamed } from './zone-calendar.js';

const kept = storedText('zone');

/** The zone that the user chose for all pages; null for that of the browser. */
export const chosenZone = signal<string | null>(kept === null ? null : zoneNamed(kept));

/** Shows times in a zone, and keeps that in this browser; null for the browser's zone. */
export function chooseZone(zone: string | null): void {
  chosenZone.value = zone;
  storeText('zone', zone);
}

/** Keeps the shown zone that of the address, `tz`, else the one that was chosen. */
export function followZone(): void {
  effect(() => {
    const named = place.value.query.get('tz');
    shownZone.value = (named === null ? null : zoneNamed(named)) ?? chosenZone.value ?? BROWSER_ZONE;
  });
}

/** Names of all zones that the browser knows, UTC first. */
export function zoneNames(): readonly string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')];
}
