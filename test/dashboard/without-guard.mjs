// Loads the program with one guard removed: the text GUARD_FROM of the file GUARD_FILE becomes GUARD_TO.
// Usage: node --import ./test/dashboard/without-guard.mjs FILE
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) register(import.meta.url);

/** Hook of the loader; see the documentation of node:module. */
export async function load(url, context, next) {
  const loaded = await next(url, context);
  const { GUARD_FILE: file, GUARD_FROM: from, GUARD_TO: to } = process.env;
  if (!url.endsWith(file)) return loaded;
  const text = String(loaded.source);
  if (!text.includes(from)) throw new Error(`the guard is not where it was: ${file} has no ${from}`);
  return { ...loaded, source: text.replace(from, () => to) };
}
