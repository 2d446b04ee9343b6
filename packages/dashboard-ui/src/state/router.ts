import { signal } from '@preact/signals';
import { boot } from './session.js';

/** Where the browser is, below the base path. */
export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** A place whose changes are not saved. */
export interface Hold {
  /** What is lost when it is left, a sentence. */
  readonly lost: string;
  /** Whether another place shows the same changes. */
  readonly keeps: (place: Place) => boolean;
}

/** A step away from a held place that waits for its user. */
export interface Leave {
  readonly lost: string;
  readonly go: () => void;
}

function placeNow(): Place {
  const { pathname, search } = window.location;
  return { path: pathname.slice(boot.basePath.length), query: new URLSearchParams(search) };
}

/** The place that is shown. */
export const place = signal(placeNow());

/** What holds the place that is shown; null if it may be left. */
export const hold = signal<Hold | null>(null);

/** The step that its user is asked about; null if there is none. */
export const leave = signal<Leave | null>(null);

window.addEventListener('popstate', () => {
  const next = placeNow();
  if (hold.value === null || hold.value.keeps(next)) {
    place.value = next;
    return;
  }
  // The browser is there already: what is shown gets its address back, and leaving is a step back.
  const { path, query } = place.value;
  window.history.pushState(null, '', addressOf(query.size === 0 ? path : `${path}?${query}`));
  leave.value = { lost: hold.value.lost, go: () => window.history.back() };
});

window.addEventListener('beforeunload', (event) => {
  if (hold.value !== null) event.preventDefault();
});

/** Address of a place, with the base path. */
export const addressOf = (path: string): string => boot.basePath + path;

/** Goes to another place; `isReplaced` leaves no step for Back. A held place is left once its user agreed. */
export function goTo(path: string, isReplaced = false): void {
  const url = new URL(addressOf(path), window.location.origin);
  const next = { path: url.pathname.slice(boot.basePath.length), query: url.searchParams };
  if (hold.value !== null && !hold.value.keeps(next)) {
    leave.value = { lost: hold.value.lost, go: () => goTo(path, isReplaced) };
    return;
  }
  if (isReplaced) window.history.replaceState(null, '', addressOf(path));
  else window.history.pushState(null, '', addressOf(path));
  place.value = placeNow();
}

/** Follows links of ours without loading the frame anew. Clicks that ask for a new window are the browser's. */
export function followLinks(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest?.('a');
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !isPlain || event.defaultPrevented || link.target || link.hasAttribute('download')) return;
  const url = new URL(link.href);
  if (url.origin !== window.location.origin || !url.pathname.startsWith(`${boot.basePath}/app/`)) return;
  event.preventDefault();
  if (url.href !== window.location.href) goTo(url.pathname.slice(boot.basePath.length) + url.search);
}
