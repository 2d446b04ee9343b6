import { HostList, isDocumentMap, JavaArray, type Value } from './values.js';
import { entriesOf, isMap } from './maps.js';
import { JavaSet } from './java-set.js';

const OBJECT_BYTES = 48;
const SLOT_BYTES = 16;

/** Estimates the memory of a value of a script, in bytes. Values that are held twice count once. */
export function sizeOf(value: Value): number {
  const seen = new Set<object>();
  const open: Value[] = [value];
  let bytes = 0;
  while (open.length > 0) {
    const next = open.pop();
    bytes += SLOT_BYTES;
    if (typeof next === 'string') bytes += 2 * next.length;
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    bytes += OBJECT_BYTES;
    for (const part of partsOf(next)) open.push(part);
  }
  return bytes;
}

function partsOf(value: object): Iterable<Value> {
  if (Array.isArray(value)) return value;
  if (value instanceof JavaArray) return value.values;
  if (value instanceof JavaSet) return value.values();
  if (value instanceof HostList) return [];
  return isMap(value) || isDocumentMap(value) ? entriesOf(value).flat() : [];
}
