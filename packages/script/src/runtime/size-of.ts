import { arrayIn } from './double-ended.js';
import { Boxed, HostList, isDocumentMap, JavaArray, type Value } from './values.js';
import { entriesOf, isMap } from './maps.js';
import { JavaMap } from './java-map.js';
import { JavaSet } from './java-set.js';
import { StateMap } from './state-map.js';

const OBJECT_BYTES = 48;
const SLOT_BYTES = 16;

/**
 * Estimates the memory of a value of a script, in bytes. Collections that are held twice count once; boxed numbers
 * count wherever they are held, because most of them are held once and remembering each takes longer than all else.
 */
export function sizeOf(value: Value): number {
  const seen = new Set<object>();
  const open: object[] = [];
  let bytes = 0;
  const count = (part: Value): void => {
    bytes += SLOT_BYTES;
    if (typeof part === 'string') bytes += 2 * part.length;
    if (typeof part !== 'object' || part === null) return;
    if (part instanceof Boxed) bytes += OBJECT_BYTES;
    else if (!seen.has(part)) {
      seen.add(part);
      open.push(part);
      bytes += OBJECT_BYTES;
    }
  };
  count(value);
  for (let next = open.pop(); next !== undefined; next = open.pop()) for (const part of partsOf(next)) count(part);
  return bytes;
}

function partsOf(value: object): Iterable<Value> {
  const items = arrayIn(value);
  if (items !== null) return items;
  if (value instanceof JavaArray) return value.values;
  if (value instanceof JavaSet) return value.values();
  if (value instanceof HostList) return [];
  if (value instanceof JavaMap || value instanceof StateMap) return value.parts();
  return isMap(value) || isDocumentMap(value) ? entriesOf(value).flat() : [];
}
