import type { ErrorLocation } from '@shoal/errors';
import { type TextPosition, positionAt } from './position.js';
import { skipSpace, skipString, skipValue } from './scan-json.kernel.js';

type Step = string | number;

/** Containers that are looked through for the place of an error: some milliseconds. */
const CONTAINERS_MAX = 50_000;

/** A container whose members are looked through. */
interface Search {
  readonly container: object;
  /** Keys of an object; null for an array. */
  readonly keys: readonly string[] | null;
  readonly length: number;
  /** Number of the member that is looked at. */
  at: number;
}

function searchOf(container: object): Search {
  if (Array.isArray(container)) return { container, keys: null, length: container.length, at: -1 };
  const keys = Object.keys(container);
  return { container, keys, length: keys.length, at: -1 };
}

/**
 * Keys that lead from `root` to the object `wanted`, found depth first. Null if `wanted` is no part of `root`, or not
 * among its first containers.
 */
function pathTo(root: unknown, wanted: object): Step[] | null {
  if (root === wanted) return [];
  if (typeof root !== 'object' || root === null) return null;
  const open = [searchOf(root)];
  for (let seen = 0; open.length > 0 && seen < CONTAINERS_MAX; ) {
    const search = open[open.length - 1]!;
    if (++search.at >= search.length) {
      open.pop();
      continue;
    }
    const { container, keys, at } = search;
    const value = keys === null ? (container as unknown[])[at] : (container as Record<string, unknown>)[keys[at]!];
    if (value === wanted) return open.map((one) => (one.keys === null ? one.at : one.keys[one.at]!));
    if (typeof value !== 'object' || value === null) continue;
    open.push(searchOf(value));
    seen++;
  }
  return null;
}

interface EntryOffsets {
  /** Offset of the key's opening quote; in an array, offset of the value. */
  readonly key: number;
  readonly value: number;
}

const decodeKey = (bytes: Uint8Array, from: number, to: number): string =>
  JSON.parse(new TextDecoder().decode(bytes.subarray(from, to))) as string;

/** Offsets of the entry with key or index `step` of the container that opens at `open`; null if there is none. */
function entryAt(bytes: Uint8Array, open: number, step: Step): EntryOffsets | null {
  const isObject = bytes[open] === 0x7b;
  let at = skipSpace(bytes, open + 1);
  for (let i = 0; at < bytes.length && bytes[at] !== 0x7d && bytes[at] !== 0x5d; i++) {
    const key = at;
    const keyEnd = isObject ? skipString(bytes, at) : at;
    if (isObject) at = skipSpace(bytes, skipSpace(bytes, keyEnd) + 1);
    if (isObject ? decodeKey(bytes, key, keyEnd) === String(step) : i === Number(step)) return { key, value: at };
    at = skipSpace(bytes, skipValue(bytes, at));
    if (bytes[at] === 0x2c) at = skipSpace(bytes, at + 1);
  }
  return null;
}

function valueOffset(bytes: Uint8Array, path: readonly Step[]): number | null {
  let at = skipSpace(bytes, 0);
  for (const step of path) {
    const entry = entryAt(bytes, at, step);
    if (!entry) return null;
    at = entry.value;
  }
  return at;
}

/** Offset of the last token of a value: its closing bracket, or the value itself if it is a scalar. */
function endOffset(bytes: Uint8Array, start: number): number {
  const isContainer = bytes[start] === 0x7b || bytes[start] === 0x5b;
  return isContainer ? skipValue(bytes, start) - 1 : start;
}

/** Offset of the token that follows the first token of a value: inside of an array, else behind the value. */
function nextOffset(bytes: Uint8Array, start: number): number {
  if (bytes[start] === 0x7b || bytes[start] === 0x5b) return skipSpace(bytes, start + 1);
  const at = skipSpace(bytes, skipValue(bytes, start));
  return bytes[at] === 0x2c ? skipSpace(bytes, at + 1) : at;
}

function offsetOf(bytes: Uint8Array, path: readonly Step[], location: ErrorLocation): number | null {
  const container = valueOffset(bytes, path);
  if (container === null) return null;
  if (location.key === undefined) return location.at === 'end' ? endOffset(bytes, container) : container;
  const entry = entryAt(bytes, container, location.key);
  if (!entry) return container;
  if (location.at === 'key') return entry.key;
  if (location.at === 'after') return skipValue(bytes, entry.value);
  if (location.at === 'next') return nextOffset(bytes, entry.value);
  return location.at === 'end' ? endOffset(bytes, entry.value) : entry.value;
}

/**
 * Line and column of an error's place in the body that `root` was parsed from; null if the container is no part of
 * `root`. Finds the container by identity and its text by scanning `bytes` again, so that parsing need not keep
 * positions.
 */
export function locateError(bytes: Uint8Array, root: unknown, location: ErrorLocation): TextPosition | null {
  const path = pathTo(root, location.container);
  const offset = path && offsetOf(bytes, path, location);
  return offset === null ? null : positionAt(bytes, offset);
}
