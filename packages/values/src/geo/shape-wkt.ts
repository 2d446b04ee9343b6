import { errors } from '@shoal/errors';

const TYPES = ['POINT', 'MULTIPOINT', 'POLYGON', 'MULTIPOLYGON', 'LINESTRING', 'MULTILINESTRING'];

/**
 * Parses nested lists of positions: `((1 2, 3 4))` becomes `[[[1,2],[3,4]]]`. A list of bare positions becomes one
 * level.
 */
function lists(text: string, at: { i: number }): unknown[] {
  const items: unknown[] = [];
  at.i++;
  while (text[at.i] !== ')') {
    if (at.i >= text.length) throw malformed(text);
    if (text[at.i] === '(') items.push(lists(text, at));
    else if (/[\s,]/.test(text[at.i]!)) at.i++;
    else items.push(readPosition(text, at));
  }
  at.i++;
  return items;
}

function readPosition(text: string, at: { i: number }): number[] {
  const end = /[,()]/.exec(text.slice(at.i))?.index ?? text.length - at.i;
  const numbers = text
    .slice(at.i, at.i + end)
    .trim()
    .split(/\s+/)
    .map(Number);
  if (numbers.length < 2 || numbers.some(Number.isNaN)) throw malformed(text);
  at.i += end;
  return numbers;
}

const malformed = (text: string): Error => errors.parse(`failed to parse WKT [${text}]`);

/** Splits the members of a collection at the commas that stand in no parentheses. */
function members(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '(') depth++;
    else if (text[i] === ')') depth--;
    else if (text[i] === ',' && depth === 0) {
      found.push(text.slice(start, i));
      start = i + 1;
    }
  }
  return [...found, text.slice(start)];
}

/** Returns a shape in Well-Known Text as GeoJSON. Throws parse_exception. */
export function geoShapeOfWkt(text: string): Record<string, unknown> {
  const [, name = '', rest = ''] = /^\s*([A-Za-z]+)\s*(\(.*\))\s*$/s.exec(text) ?? [];
  const type = name.toUpperCase();
  if (type === 'BBOX' || type === 'ENVELOPE') {
    const [left, right, top, bottom] = rest.slice(1, -1).split(',').map(Number);
    return {
      type: 'envelope',
      coordinates: [
        [left, top],
        [right, bottom],
      ],
    };
  }
  if (type === 'GEOMETRYCOLLECTION')
    return { type, geometries: members(rest.slice(1, -1)).map((member) => geoShapeOfWkt(member)) };
  if (!TYPES.includes(type)) throw malformed(text);
  const coordinates = lists(rest, { i: 0 });
  if (type === 'POINT') return { type, coordinates: coordinates[0] };
  return {
    type,
    coordinates:
      type === 'MULTIPOINT'
        ? coordinates.map((one) => (Array.isArray((one as unknown[])[0]) ? (one as unknown[])[0] : one))
        : coordinates,
  };
}
