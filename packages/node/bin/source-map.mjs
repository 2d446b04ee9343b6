// Positions of a generated file in its sources (source map revision 3). A map of a whole program decoded would take
// tens of megabytes: it is read through once for a position instead, and the positions are kept.
import fs from 'node:fs';
import path from 'node:path';

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUE_OF = new Int8Array(128).fill(-1);
for (let i = 0; i < DIGITS.length; i++) VALUE_OF[DIGITS.charCodeAt(i)] = i;
const KEPT_MAX = 5_000;
const kept = new Map();

/**
 * `file:line:column` of a source for a position (both from 1) of a generated file with the map `mapFile`; null where
 * there is none.
 */
export function originalPosition(mapFile, line, column) {
  const key = `${mapFile}:${line}:${column}`;
  if (kept.has(key)) return kept.get(key);
  if (kept.size >= KEPT_MAX) kept.clear();
  const position = findPosition(mapFile, line - 1, column - 1);
  kept.set(key, position);
  return position;
}

function findPosition(mapFile, line, column) {
  try {
    const map = JSON.parse(fs.readFileSync(mapFile, 'utf8'));
    const found = lastSegmentBefore(map.mappings, line, column);
    if (found === null) return null;
    const source = path.resolve(path.dirname(mapFile), map.sources[found.source]);
    return `${source}:${found.line + 1}:${found.column + 1}`;
  } catch {
    return null;
  }
}

const isFieldEnd = (char) => char === ',' || char === ';' || char === undefined;

/**
 * The segment that covers a position (from 0). Fields: generated column (anew in each line), source, line, column, name
 * (differences throughout).
 */
function lastSegmentBefore(mappings, line, column) {
  const fields = [0, 0, 0, 0, 0];
  let found = null;
  let at = 0;
  for (let current = 0; current <= line && at < mappings.length; current++) {
    fields[0] = 0;
    while (at < mappings.length && mappings[at] !== ';') {
      let field = 0;
      while (!isFieldEnd(mappings[at])) at = addNumber(mappings, at, fields, field++);
      if (mappings[at] === ',') at++;
      const isCovering = current === line && fields[0] <= column && field > 1;
      if (isCovering) found = { source: fields[1], line: fields[2], column: fields[3] };
    }
    at++;
  }
  return found;
}

/** Adds the base-64 VLQ number at `at` to a field; returns where the next one begins. */
function addNumber(mappings, at, fields, field) {
  let value = 0;
  let shift = 0;
  let digit = 32;
  while (digit & 32) {
    digit = VALUE_OF[mappings.charCodeAt(at++)];
    if (digit === undefined || digit < 0) throw new Error(`source map is damaged at [${at}]`);
    value |= (digit & 31) << shift;
    shift += 5;
  }
  fields[field] += value & 1 ? -(value >>> 1) : value >>> 1;
  return at;
}
