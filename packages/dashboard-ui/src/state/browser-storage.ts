import { boot } from './session.js';

/** Keys of one user: people who share a browser do not share what they typed. */
const keyOf = (name: string): string => `shoal:${boot.username ?? ''}:${name}`;

/** What is kept in this browser under a name; null if there is nothing, or no storage. */
export function storedText(name: string): string | null {
  try {
    return window.localStorage.getItem(keyOf(name));
  } catch {
    return null;
  }
}

/** Keeps a text in this browser; null removes it. Returns false if the storage is full or switched off. */
export function storeText(name: string, text: string | null): boolean {
  try {
    if (text === null) window.localStorage.removeItem(keyOf(name));
    else window.localStorage.setItem(keyOf(name), text);
    return true;
  } catch {
    return false;
  }
}

/** A value kept as JSON; `fallback` for what is absent or broken. */
export function storedJson<T>(name: string, isValue: (value: unknown) => value is T, fallback: T): T {
  try {
    const value: unknown = JSON.parse(storedText(name) ?? 'null');
    return isValue(value) ? value : fallback;
  } catch {
    return fallback;
  }
}
