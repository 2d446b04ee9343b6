import type { Element } from './pattern.js';
import { FIELD, type Fields } from './fields.js';
import { parseOffset, timeZone, type Zone } from './zone.js';

/* Every parser returns the index after the text that it took, or the bitwise complement of the index of the error. */

const isDigit = (text: string, at: number): boolean => text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57;

function digitsFrom(text: string, at: number, max: number): number {
  let end = at;
  while (end - at < max && end < text.length && isDigit(text, end)) end++;
  return end;
}

/** Stores a number in its field: `h` 12 and `k` 24 become 0, two-digit years get their century. */
function store(element: Extract<Element, { kind: 'number' }>, value: number, fields: Fields): void {
  const cyclic = element.letter === 'h' ? value % 12 : element.letter === 'k' ? value % 24 : value;
  fields.values[element.field] = cyclic * (element.scale ?? 1) + element.base;
}

function parseNumber(
  element: Extract<Element, { kind: 'number' }>,
  text: string,
  start: number,
  fields: Fields,
): number {
  const signChar = text[start];
  const hasSign = signChar === '-' || signChar === '+';
  if (hasSign && (element.sign === 'never' || (signChar === '+' && element.sign !== 'exceedsPad'))) return ~start;
  const at = hasSign ? start + 1 : start;
  let end = digitsFrom(text, at, element.max + Math.max(0, element.reserved));
  if (element.reserved > 0) end = at + Math.max(element.min, end - at - element.reserved);
  if (end - at < element.min || end > text.length) return ~start;
  if (element.sign === 'exceedsPad' && (signChar === '+') !== end - at > element.min && signChar !== '-') return ~start;
  const value = Number(text.slice(at, end)) * (signChar === '-' ? -1 : 1);
  if (value < element.low || value > element.high) return ~start;
  store(element, value, fields);
  return end;
}

function parseFraction(
  { min, max, hasPoint }: Extract<Element, { kind: 'fraction' }>,
  text: string,
  start: number,
  fields: Fields,
): number {
  if (hasPoint && text[start] !== '.') return min > 0 ? ~start : start;
  const at = hasPoint ? start + 1 : start;
  const end = digitsFrom(text, at, max);
  if (end - at < Math.max(min, hasPoint ? 1 : 0)) return ~at;
  fields.values[FIELD.nano] = Number(text.slice(at, end).padEnd(9, '0'));
  return end;
}

/** Whether a text has a word at a place. */
function hasWord(text: string, word: string, at: number, ignoresCase: boolean | undefined): boolean {
  if (text.startsWith(word, at)) return true;
  return ignoresCase === true && text.slice(at, at + word.length).toLowerCase() === word.toLowerCase();
}

/** Reads an element that is padded: what stands in the width behind the characters. */
function parsePadded(
  { element, width, char }: Extract<Element, { kind: 'pad' }>,
  text: string,
  at: number,
  fields: Fields,
): number {
  if (text.length < at + width) return ~at;
  let start = at;
  while (start < at + width && text[start] === char) start++;
  const end = parseElement(element, text.slice(0, at + width), start, fields);
  if (end < 0) return end;
  return end === at + width ? end : ~(at + width);
}

function parseDefault(field: number, value: number, at: number, fields: Fields): number {
  if (Number.isNaN(fields.values[field]!)) fields.values[field] = value;
  return at;
}

function parseName(element: Extract<Element, { kind: 'text' }>, text: string, at: number, fields: Fields): number {
  let best = -1;
  for (let i = 0; i < element.names.length; i++) {
    const name = element.names[i]!;
    if (hasWord(text, name, at, element.ignoresCase) && (best < 0 || name.length > element.names[best]!.length))
      best = i;
  }
  if (best < 0) return ~at;
  fields.values[element.field] = (best % (element.count ?? element.names.length)) + element.first;
  return at + element.names[best]!.length;
}

function zoneOrNull(id: string): Zone | null {
  try {
    return timeZone(id);
  } catch {
    return null;
  }
}

function parseRegion(text: string, at: number, fields: Fields): number {
  let id = /^[A-Za-z][A-Za-z0-9~/._+-]*/.exec(text.slice(at, at + 50))?.[0] ?? '';
  for (; id.length > 0; id = id.slice(0, -1)) {
    const zone = zoneOrNull(id);
    if (!zone) continue;
    fields.zone = zone;
    return at + id.length;
  }
  return ~at;
}

function parseOffsetText(letter: string, count: number, text: string, at: number, fields: Fields): number {
  const match = /^[+-]\d{2}(?::?\d{2}(?::?\d{2})?)?/.exec(text.slice(at, at + 9));
  const colon = match ? match[0].includes(':') : false;
  const wantsColon = (letter === 'X' || letter === 'x') && (count === 3 || count === 5);
  const noColon =
    ((letter === 'X' || letter === 'x') && (count === 2 || count === 4)) || (letter === 'Z' && count <= 3);
  if (!match || (colon && noColon) || (wantsColon && match[0].length > 3 && !colon)) return ~at;
  const offset = parseOffset(match[0]);
  if (offset === null) return ~at;
  fields.values[FIELD.offset] = offset;
  return at + match[0].length;
}

function parseZone(element: Extract<Element, { kind: 'zone' }>, text: string, at: number, fields: Fields): number {
  const { letter, count } = element;
  if (text[at] === '+' || text[at] === '-') return parseOffsetText(letter, count, text, at, fields);
  if (text[at] === 'Z' && (letter === 'X' || letter === 'V' || letter === 'J' || (letter === 'Z' && count === 5))) {
    fields.values[FIELD.offset] = 0;
    return at + 1;
  }
  const hasGmt = letter === 'O' || (letter === 'Z' && count === 4);
  if (hasGmt && text.startsWith('GMT', at)) {
    if (text[at + 3] === '+' || text[at + 3] === '-') return parseOffsetText(letter, count, text, at + 3, fields);
    fields.values[FIELD.offset] = 0;
    return at + 3;
  }
  return 'zvVJ'.includes(letter) ? parseRegion(text, at, fields) : ~at;
}

function parseOptional(elements: readonly Element[], text: string, at: number, fields: Fields): number {
  const saved = fields.values.slice();
  const savedZone = fields.zone;
  const end = parseElements(elements, text, at, fields);
  if (end >= 0) return end;
  fields.values.set(saved);
  fields.zone = savedZone;
  return at;
}

function parseElement(element: Element, text: string, at: number, fields: Fields): number {
  switch (element.kind) {
    case 'number':
      return parseNumber(element, text, at, fields);
    case 'fraction':
      return parseFraction(element, text, at, fields);
    case 'text':
      return parseName(element, text, at, fields);
    case 'literal':
      return hasWord(text, element.text, at, element.ignoresCase) ? at + element.text.length : ~at;
    case 'zone':
      return parseZone(element, text, at, fields);
    case 'optional':
      return parseOptional(element.elements, text, at, fields);
    case 'default':
      return parseDefault(element.field, element.value, at, fields);
    case 'pad':
      return parsePadded(element, text, at, fields);
  }
}

/** Parses `text` from `at` by a compiled pattern into `fields`. */
export function parseElements(elements: readonly Element[], text: string, at: number, fields: Fields): number {
  let end = at;
  for (const element of elements) {
    end = parseElement(element, text, end, fields);
    if (end < 0) return end;
  }
  return end;
}
