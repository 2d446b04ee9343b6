import { errors, toApiError } from '@shoal/errors';
import { geohashBox, geotileBox, GEOTILE_ZOOM_MAX, parseGeotile, type GeoBox } from '@shoal/values';
import { envelopeText, type ShapeFormat } from '../geo/shape-text.js';
import type { ProcessorType } from '../processor-type.js';

const GEOHASH_ALPHABET = '0123456789bcdefghjkmnpqrstuvwxyz';
const GEOHASH_LENGTH_MAX = 12;
const FORMATS: readonly string[] = ['geojson', 'wkt'];

/** A kind of cells, each of which has one parent and children that cover it. Methods throw for a malformed cell. */
interface Grid {
  box(cell: string): GeoBox;
  precision(cell: string): number;
  /** Null for a cell of the coarsest precision. */
  parent(cell: string): string | null;
  /** Empty for a cell of the finest precision. */
  children(cell: string): readonly string[];
}

const GRIDS: ReadonlyMap<string, Grid> = new Map([
  [
    'geohash',
    {
      box: geohashBox,
      precision: (cell) => cell.length,
      parent: (cell) => (cell.length > 1 ? cell.slice(0, -1) : null),
      children: (cell) =>
        cell.length < GEOHASH_LENGTH_MAX ? [...GEOHASH_ALPHABET].map((char) => `${cell}${char}`) : [],
    },
  ],
  [
    'geotile',
    {
      box: geotileBox,
      precision: (cell) => parseGeotile(cell).zoom,
      parent(cell) {
        const { zoom, x, y } = parseGeotile(cell);
        return zoom > 0 ? `${zoom - 1}/${x >> 1}/${y >> 1}` : null;
      },
      children(cell) {
        const { zoom, x, y } = parseGeotile(cell);
        if (zoom >= GEOTILE_ZOOM_MAX) return [];
        return [0, 1].flatMap((i) => [0, 1].map((j) => `${zoom + 1}/${2 * x + i}/${2 * y + j}`));
      },
    },
  ],
]);

function gridOf(type: string): Grid {
  const grid = GRIDS.get(type.toLowerCase());
  if (grid !== undefined) return grid;
  if (type.toLowerCase() === 'geohex') throw errors.illegalArgument('[tile_type] value [geohex] is not supported');
  throw errors.illegalArgument(`illegal [tile_type] value [${type}]. valid values are [GEOHASH, GEOTILE, GEOHEX]`);
}

/** Replaces the name of a cell of a grid by its shape, and names cells around it. */
export const geoGrid: ProcessorType = {
  name: 'geo_grid',
  parse(config) {
    const field = config.string('field');
    const grid = gridOf(config.string('tile_type'));
    const target = config.stringOr('target_field', field);
    const format = config.stringOr('target_format', 'geojson').toLowerCase();
    const ignoreMissing = config.boolean('ignore_missing', false);
    const related: readonly (readonly [field: string, of: (cell: string) => unknown])[] = [
      [config.stringOr('parent_field', ''), (cell) => grid.parent(cell)],
      [config.stringOr('children_field', ''), (cell) => grid.children(cell)],
      // Only hexagons have cells that touch them and are no children.
      [config.stringOr('non_children_field', ''), () => []],
      [config.stringOr('precision_field', ''), (cell) => grid.precision(cell)],
    ];
    if (!FORMATS.includes(format))
      throw errors.illegalArgument(`illegal [target_format] value [${format}]. valid values are [GEOJSON, WKT]`);
    return (document) => {
      const cell = document.get(field, ignoreMissing) ?? null;
      if (cell === null) {
        if (ignoreMissing) return;
        throw errors.illegalArgument(`field [${field}] is null, cannot process it.`);
      }
      try {
        if (typeof cell !== 'string') throw errors.illegalArgument(`field [${field}] must be a String tile address`);
        document.set(target, envelopeText(grid.box(cell), format as ShapeFormat));
        for (const [name, of] of related) {
          const value = name === '' ? null : of(cell);
          if (value !== null) document.set(name, document.copyOf(value));
        }
      } catch (thrown) {
        throw errors.illegalArgument('invalid tile definition', { cause: toApiError(thrown) });
      }
    };
  },
};
