import { signal } from '@preact/signals';
import { clock } from './browser-clock.js';
import { clusterAwaySince } from './session.js';

/** Pause before the ping that tells whether an answer that is missing was chance. */
const AGAIN_MS = 1_000;

/** Since when answers are missing, in milliseconds since 1970; null while they come. */
let silentSince: number | null = null;

/** Grows when a ping should follow now. */
export const pingsWanted = signal(0);

/** Notes a call without an answer: it is told once a ping behind it has none either. */
export function noteSilence(): void {
  if (silentSince !== null) return;
  silentSince = clock.now();
  window.setTimeout(() => void pingsWanted.value++, AGAIN_MS);
}

/** Notes a ping without an answer. One alone may be chance, and is not told. */
export function noteMissedPing(): void {
  if (silentSince === null) noteSilence();
  else noteLoss();
}

/** Notes that the server has looked for the cluster in vain. */
export function noteLoss(): void {
  silentSince ??= clock.now();
  clusterAwaySince.value ??= silentSince;
}

/** Notes that the cluster answers. */
export function noteAnswer(): void {
  silentSince = null;
  clusterAwaySince.value = null;
}
