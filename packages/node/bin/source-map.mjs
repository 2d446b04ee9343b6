// Positions of a generated file in its sources (source map revision 3). A map of a whole program decoded would take
// tens of megabytes, and reading it through takes half a second: an index beside it (`writeIndex`) tells where in the
// map to begin, and a position reads two kilobytes.
import fs from 'node:fs';
import path from 'node:path';

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUE_OF = new Int8Array(128).fill(-1);
for (let i = 0; i < DIGITS.length; i++) VALUE_OF[DIGITS.charCodeAt(i)] = i;
const [COMMA, LINE_END, QUOTE] = [',', ';', '"'].map((char) => char.charCodeAt(0));
/** Segments between two entries of an index. */
const INDEX_STEP = 256;
/** A segment has five numbers of a few digits each, so that as many of them as one step of the index are in here. */
const READ_BYTES = 64 * 1024;
const indexes = new Map();

/** Name of the index of a map. */
const indexOf = (mapFile) => `${mapFile}.index`;

/**
 * `file:line:column` of a source for a position (both from 1) of a generated file with the map `mapFile`, which has an
 * index; null where there is none.
 */
export function originalPosition(mapFile, line, column) {
  try {
    const index = readIndex(mapFile);
    const found = lastSegmentBefore(mapFile, index.entries, line - 1, column - 1);
    if (found === null) return null;
    return `${path.resolve(path.dirname(mapFile), index.sources[found[1]])}:${found[2] + 1}:${found[3] + 1}`;
  } catch {
    return null;
  }
}

function readIndex(mapFile) {
  if (!indexes.has(mapFile)) indexes.set(mapFile, JSON.parse(fs.readFileSync(indexOf(mapFile), 'utf8')));
  return indexes.get(mapFile);
}

/**
 * Writes the index of a map: its sources, and an entry for each `INDEX_STEP` segments: the generated line, where in the
 * file the next segment begins, and the numbers of the segment before it.
 */
export function writeIndex(mapFile) {
  const bytes = fs.readFileSync(mapFile);
  const entries = [];
  const fields = [0, 0, 0, 0, 0];
  let segments = 0;
  const key = '"mappings": "';
  walk(bytes, bytes.indexOf(key) + key.length, 0, fields, (line, at, isMapped) => {
    if (isMapped && segments++ % INDEX_STEP === 0) entries.push([line, at, ...fields]);
    return true;
  });
  fs.writeFileSync(indexOf(mapFile), JSON.stringify({ sources: JSON.parse(bytes).sources, entries }));
}

/** The numbers of the segment that covers a position (from 0): generated column, source, line, column, name. */
function lastSegmentBefore(mapFile, entries, line, column) {
  const next = firstAfter(entries, line, column);
  if (next === 0) return null;
  const [firstLine, at, ...fields] = entries[next - 1];
  let found = firstLine === line ? [...fields] : null;
  walk(bytesFrom(mapFile, at), 0, firstLine, fields, (current, _at, isMapped) => {
    if (current > line || (current === line && fields[0] > column)) return false;
    if (current === line && isMapped) found = [...fields];
    return true;
  });
  return found;
}

/** The first entry of an index that is behind a position. */
function firstAfter(entries, line, column) {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const [ownLine, , ownColumn] = entries[middle];
    if (ownLine < line || (ownLine === line && ownColumn <= column)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function bytesFrom(mapFile, at) {
  const file = fs.openSync(mapFile, 'r');
  try {
    const bytes = Buffer.alloc(READ_BYTES);
    return bytes.subarray(0, fs.readSync(file, bytes, 0, READ_BYTES, at));
  } finally {
    fs.closeSync(file);
  }
}

/**
 * Reads segments from `at` on until the mappings end or `visit(line, next, isMapped)` says false. `fields` has the
 * numbers of the segment before, and of each that is visited.
 */
function walk(bytes, at, line, fields, visit) {
  while (at < bytes.length && bytes[at] !== QUOTE) {
    if (bytes[at] === LINE_END) {
      line++;
      at++;
      fields[0] = 0;
    } else if (bytes[at] === COMMA) at++;
    else {
      let field = 0;
      for (; VALUE_OF[bytes[at]] >= 0; field++) at = addNumber(bytes, at, fields, field);
      if (field === 0) throw new Error(`source map is damaged at [${at}]`);
      if (!visit(line, at, field > 1)) return;
    }
  }
}

/** Adds the base-64 VLQ number at `at` to a field, which is told as a difference; returns where the next one begins. */
function addNumber(bytes, at, fields, field) {
  let value = 0;
  let shift = 0;
  let digit = 32;
  while (digit & 32) {
    digit = VALUE_OF[bytes[at++]];
    if (digit === undefined || digit < 0) throw new Error(`source map is damaged at [${at}]`);
    value |= (digit & 31) << shift;
    shift += 5;
  }
  fields[field] += value & 1 ? -(value >>> 1) : value >>> 1;
  return at;
}
