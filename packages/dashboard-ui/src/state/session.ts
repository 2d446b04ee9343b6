import { signal } from '@preact/signals';
import { readBoot } from '../boot.js';

/** Boot data of the page; the same for its life. */
export const boot = readBoot();

/** Whether the session ended while the page was open; a dialog then asks for the password over it. */
export const isSessionOver = signal(false);

/** Since when the cluster does not answer, in milliseconds since 1970; null while it does. */
export const clusterAwaySince = signal<number | null>(null);

/** Calls that the cluster does not answer in time while it answers others, and since when; null while it is quick. */
export const clusterSlow = signal<{ readonly since: number; readonly calls: readonly string[] } | null>(null);

/** Health of the cluster as the header shows it; null until it is known. */
export const clusterHealth = signal<string | null>(null);

/** The last message for the polite status of the page. */
export const message = signal('');

/** Grows whenever pages should ask anew: after a login, and when the cluster is back. */
export const reloads = signal(0);
