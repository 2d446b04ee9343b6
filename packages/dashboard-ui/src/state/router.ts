import { signal } from '@preact/signals';
import { boot } from './session.js';

/** Where the browser is, below the base path. */
export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

function placeNow(): Place {
  const { pathname, search } = window.location;
  return { path: pathname.slice(boot.basePath.length), query: new URLSearchParams(search) };
}

/** The place that is shown. */
export const place = signal(placeNow());

window.addEventListener('popstate', () => (place.value = placeNow()));

/** Address of a place, with the base path. */
export const addressOf = (path: string): string => boot.basePath + path;

/** Goes to another place; `isReplaced` leaves no step for Back. */
export function goTo(path: string, isReplaced = false): void {
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
