import { boxOfPart, type ShapeBox, type ShapePart } from './shape-parts.js';

/*
 * Cells of a quadtree over longitudes and latitudes, each named by its path from the whole earth. The box of a part is
 * covered by few cells of one level. A document has the term `c` + path for each cell that covers it, and `a` + path
 * for that cell and all above; a query looks for `a` of its own cells and for `c` of those above (as the
 * region index of the S2 library).
 */

/** Deepest level; a cell is then about 600 m wide at the equator. */
const LEVELS = 16;
/** The deepest level for shapes of more than MANY parts, so that their terms are at most the cells of that level. */
const LEVELS_OF_MANY = 8;
const MANY = 1_000;
/** Cells that cover a box are at most so many in a row and in a column. */
const SPAN = 3;

/** Returns the path of a cell. */
function pathOf(level: number, x: number, y: number): string {
  let path = '';
  for (let bit = level - 1; bit >= 0; bit--) path += String(((x >> bit) & 1) * 2 + ((y >> bit) & 1));
  return path;
}

/** Returns the paths of the cells that cover a box. */
function cover({ minLon, maxLon, minLat, maxLat }: ShapeBox, deepest: number): string[] {
  for (let level = deepest; ; level--) {
    const cells = 2 ** level;
    const cell = (share: number): number => Math.min(Math.max(Math.floor(share * cells), 0), cells - 1);
    const [left, right] = [cell((minLon + 180) / 360), cell((maxLon + 180) / 360)];
    const [bottom, top] = [cell((minLat + 90) / 180), cell((maxLat + 90) / 180)];
    if (right - left >= SPAN || top - bottom >= SPAN) continue;
    const paths: string[] = [];
    for (let x = left; x <= right; x++) for (let y = bottom; y <= top; y++) paths.push(pathOf(level, x, y));
    return paths;
  }
}

/** Paths of the cells above a cell, the whole earth first. */
const above = (path: string): string[] => Array.from(path, (_, i) => path.slice(0, i));

/** Returns the terms by which a document with these parts is found. */
export function shapeTerms(parts: readonly ShapePart[]): string[] {
  const terms = new Set<string>();
  const deepest = parts.length > MANY ? LEVELS_OF_MANY : LEVELS;
  for (const part of parts) {
    for (const path of cover(boxOfPart(part), deepest)) {
      terms.add(`c${path}`).add(`a${path}`);
      for (const upper of above(path)) terms.add(`a${upper}`);
    }
  }
  return [...terms];
}

/** Returns the terms of which a document has one if its shape may meet these parts. */
export function shapeQueryTerms(parts: readonly ShapePart[]): string[] {
  const terms = new Set<string>();
  const deepest = parts.length > MANY ? LEVELS_OF_MANY : LEVELS;
  for (const part of parts) {
    for (const path of cover(boxOfPart(part), deepest)) {
      terms.add(`a${path}`);
      for (const upper of above(path)) terms.add(`c${upper}`);
    }
  }
  return [...terms].sort();
}
