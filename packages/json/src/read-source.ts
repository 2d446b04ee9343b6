import { formatDouble } from '@shoal/values';
import { JsonText } from './json-text.js';
import { parseSource, parseSourceInTurns, parseSourceKeepingLast } from './parse-json.js';

/**
 * Text that may hold a whole number written as a double: `3.0`, `1e3`. Wrong for such numbers in strings, so a match is
 * looked at again.
 */
const MAYBE_DOUBLE = /[[:,\s]-?\d+(?:\.0+|(?:\.\d+)?[eE][+-]?\d+)[\s,\]}]/;
/** Where a string or a number begins, and a number. No expression goes through a string: one of 16 MB is too long. */
const NEXT = /["\d-]/g;
const NUMBER = /-?\d[\d.eE+-]*/y;

const decoder = new TextDecoder();

/**
 * Parses the bytes of a document that scripts or pipelines change. Whole numbers that the source writes as doubles
 * become `JsonText` with Java's text of the double: otherwise `3.0` would leave it as `3`, and its field would be
 * mapped as long. `keepsLast`: of members with the same key the last one counts; else they are refused.
 */
export function readSource(bytes: Uint8Array, keepsLast = false): Record<string, unknown> {
  const source = keepsLast ? parseSourceKeepingLast(bytes) : parseSource(bytes);
  const text = decoder.decode(bytes);
  if (MAYBE_DOUBLE.test(text)) atOnce(keepDoubles(source, atOnce(markDoubles(text))));
  return source;
}

/** Reads as `readSource`, and calls `turn` between the passes over the text, so that others may run. */
export async function readSourceInTurns(
  bytes: Uint8Array,
  turn: () => Promise<void>,
): Promise<Record<string, unknown>> {
  const source = await parseSourceInTurns(bytes, turn);
  await turn();
  await keepDoublesInTurns(source, bytes, turn);
  return source;
}

/** Makes of a value that was parsed of `bytes`, in place, what `readSource` returns. */
export async function keepDoublesInTurns(value: unknown, bytes: Uint8Array, turn: () => Promise<void>): Promise<void> {
  const text = decoder.decode(bytes);
  if (!MAYBE_DOUBLE.test(text)) return;
  await turn();
  const marked = await inSteps(markDoubles(text), turn);
  await inSteps(keepDoubles(value, marked), turn);
}

/** Tokens of a text, or keys of a tree, between two turns: some milliseconds. */
const STEP = 16_384;

/** Runs a pass to its end at a stretch. */
function atOnce<T>(pass: Generator<void, T>): T {
  for (;;) {
    const { done, value } = pass.next();
    if (done === true) return value;
  }
}

/** Runs a pass to its end, with a turn for others between its steps. */
async function inSteps<T>(pass: Generator<void, T>, turn: () => Promise<void>): Promise<T> {
  for (;;) {
    const { done, value } = pass.next();
    await turn();
    if (done === true) return value;
  }
}

function isWholeDouble(token: string): boolean {
  return /[.eE]/.test(token) && Number.isInteger(Number(token));
}

/** Returns the document with its whole doubles as strings; null if there are none. */
function* markDoubles(text: string): Generator<void, unknown> {
  const pieces: string[] = [];
  let [from, done] = [0, 0];
  for (let tokens = 1; ; tokens++) {
    NEXT.lastIndex = from;
    const at = NEXT.exec(text)?.index;
    if (at === undefined) break;
    NUMBER.lastIndex = at;
    const token = text[at] === '"' ? undefined : NUMBER.exec(text)?.[0];
    from = token === undefined ? afterString(text, at) : at + token.length;
    if (tokens % STEP === 0) yield;
    if (token === undefined || !isWholeDouble(token)) continue;
    pieces.push(text.slice(done, at), `"${formatDouble(Number(token))}"`);
    done = from;
  }
  if (pieces.length === 0) return null;
  yield;
  try {
    return JSON.parse(pieces.join('') + text.slice(done));
  } catch {
    return null;
  }
}

/** Returns the place after the string that begins at `at`; the next place if none does. */
function afterString(text: string, at: number): number {
  if (text[at] !== '"') return at + 1;
  for (let quote = text.indexOf('"', at + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text[quote - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

type Container = Record<string | number, unknown>;

/** Replaces each number of a tree that is a string in the other tree, which has the same shape. */
function* keepDoubles(root: unknown, rootMarked: unknown): Generator<void, void> {
  const pending: [tree: unknown, marked: unknown][] = [[root, rootMarked]];
  let keys = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [tree, marked] = next;
    if (typeof tree !== 'object' || tree === null || typeof marked !== 'object' || marked === null) continue;
    const container = tree as Container;
    for (const key of Object.keys(tree)) {
      const other = (marked as Container)[key];
      const value = container[key];
      if (typeof value === 'number' && typeof other === 'string') container[key] = new JsonText(other);
      else if (typeof value === 'object') pending.push([value, other]);
      if (++keys % STEP === 0) yield;
    }
  }
}

/** Key of the parameters of scripts. Bodies without it have none. */
const PARAMS_KEY = Buffer.from('"params"');

/** Bodies up to this size keep whole doubles: reading a large one twice would hold up the thread. */
const BODY_BYTES_MAX = 1024 * 1024;

/**
 * Gives whole doubles in the parameters of scripts their form: `{"params": {"x": 5.0}}` divides otherwise than 5. The
 * parameters are those beside `source` or `id`; they become `JsonText` in place. `value` is what was parsed of `bytes`;
 * returned. Numbers elsewhere stay numbers, as parsers of requests expect them.
 */
export function withScriptParams<T>(value: T, bytes: Uint8Array): T {
  if (bytes.length > BODY_BYTES_MAX) return value;
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(PARAMS_KEY)) return value;
  const text = decoder.decode(bytes);
  if (MAYBE_DOUBLE.test(text)) keepParams(value, atOnce(markDoubles(text)));
  return value;
}

function keepParams(tree: unknown, marked: unknown): void {
  if (typeof tree !== 'object' || tree === null || typeof marked !== 'object' || marked === null) return;
  const isScript = !Array.isArray(tree) && ('source' in tree || 'id' in tree) && 'params' in tree;
  for (const [key, value] of Object.entries(tree)) {
    const other = (marked as Container)[key];
    if (isScript && key === 'params') atOnce(keepDoubles(value, other));
    else if (typeof value === 'object') keepParams(value, other);
  }
}
