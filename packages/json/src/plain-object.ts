/** A JSON object that is put together. */
export type Json = Record<string, unknown>;

/** A JSON object that was given: nobody writes to it. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a parsed value is a JSON object. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Sets an own property of any name. Plain assignment of `__proto__` would change the prototype instead. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}

/** JSON equality: arrays in order, objects by keys in any order; 1 equals 1n. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  // oxlint-disable-next-line eqeqeq -- 1n and 1 are the same number
  if (typeof a === 'bigint' || typeof b === 'bigint') return a == b;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => deepEqual(item, b[i]));
  if (!isPlainObject(a) || !isPlainObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && deepEqual(a[key], b[key]))
  );
}

/**
 * Merges a partial document into another as `_update` does: objects merge, other values are replaced. Returns a copy.
 */
export function mergeDocuments(
  base: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const result: Record<string, unknown> = { ...base };
  for (const key of Object.keys(patch)) {
    const old = Object.hasOwn(result, key) ? result[key] : undefined;
    const value = patch[key];
    setOwn(result, key, isPlainObject(old) && isPlainObject(value) ? mergeDocuments(old, value) : value);
  }
  return result;
}

function collect(value: unknown, path: string, out: unknown[]): void {
  if (Array.isArray(value)) for (const item of value) collect(item, path, out);
  else if (isPlainObject(value)) collectMember(value, path, out);
}

function collectMember(object: Record<string, unknown>, path: string, out: unknown[]): void {
  if (Object.hasOwn(object, path)) addLeaves(object[path], out);
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const head = path.slice(0, dot);
    if (Object.hasOwn(object, head)) collect(object[head], path.slice(dot + 1), out);
  }
}

function addLeaves(value: unknown, out: unknown[]): void {
  if (Array.isArray(value)) for (const item of value) addLeaves(item, out);
  else out.push(value);
}

/** All values at a dotted path, with arrays flattened in order. Keys that contain dots themselves match as well. */
export function extractValues(source: unknown, path: string): unknown[] {
  const out: unknown[] = [];
  collect(source, path, out);
  return out;
}

/** As `extractValues` for several paths: values of all of them in the order of the document. */
export function extractAll(source: unknown, paths: readonly string[]): unknown[] {
  if (paths.length === 1) return extractValues(source, paths[0]!);
  const out: unknown[] = [];
  collectAll(source, paths, out);
  return out;
}

function collectAll(value: unknown, paths: readonly string[], out: unknown[]): void {
  if (Array.isArray(value)) for (const item of value) collectAll(item, paths, out);
  if (!isPlainObject(value)) return;
  for (const key of Object.keys(value)) {
    if (paths.includes(key)) addLeaves(value[key], out);
    const below = paths.flatMap((path) => (path.startsWith(`${key}.`) ? [path.slice(key.length + 1)] : []));
    if (below.length > 0) collectAll(value[key], below, out);
  }
}

/** Returns a property of a record whose keys users choose; undefined for inherited ones such as `constructor`. */
export function ownProperty<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
