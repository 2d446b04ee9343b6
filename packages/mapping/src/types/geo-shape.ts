import { errors } from '@shoal/errors';
import type { FieldLayout } from '@shoal/segments';
import { encodeParts, geometryWkt, type GeometryOptions, parseGeometry, shapeParts, shapeTerms } from '@shoal/values';
import type { DocumentSink, FieldType } from '../field-type.js';
import { withCapabilities } from '../field-capabilities.js';
import {
  booleanParameter,
  choiceParameter,
  docValues,
  ignoreMalformed,
  index,
  meta,
  type Parameter,
  store,
} from '../parameter.js';
import { type FieldConfig, fieldType, type FieldTypeDefinition, PLAIN_FORMAT, refuseRange } from './definition.js';
import { readOrIgnore } from './whole-numbers.js';

const RIGHT = ['right', 'ccw', 'counterclockwise'];
const LEFT = ['left', 'cw', 'clockwise'];

const orientation: Parameter = choiceParameter('orientation', 'right', [...RIGHT, ...LEFT], { updates: true });

/** Shapes as `fields` of a search shows them: GeoJSON, or Well-Known Text. */
function fetchShape(value: unknown, format: string | null, options: GeometryOptions): unknown {
  try {
    const geometry = parseGeometry(value, options);
    return format === 'wkt' ? geometryWkt(geometry) : geometry;
  } catch {
    return undefined;
  }
}

function refuseExact(config: FieldConfig): never {
  throw errors.illegalArgument(
    `Geometry fields do not support exact searching, use dedicated geometry queries instead: [${config.name}]`,
  );
}

function create(config: FieldConfig): FieldType {
  const { name } = config;
  const isIndexed = config.boolean('index');
  const layout: FieldLayout | null =
    isIndexed || config.boolean('doc_values') ? { name, terms: null, column: 'binary', points: false } : null;
  const cellsField = `${name}._cells`;
  const cells: FieldLayout = {
    name: cellsField,
    terms: { freqs: false, positions: false, norms: false },
    column: null,
    points: false,
  };
  const ignores = config.boolean('ignore_malformed');
  const isRight = RIGHT.includes(config.text('orientation'));
  // The setting `index.mapping.coerce`, which is true by default, is that of numbers.
  const coerces = config.isSet('coerce') && config.boolean('coerce');
  const options = { coerce: coerces, ignoresZ: config.boolean('ignore_z_value') };
  const add = (value: unknown, sink: DocumentSink): void => {
    const parts = shapeParts(parseGeometry(value, options), isRight);
    if (layout === null || parts.length === 0) return;
    sink.mayRepeat = true;
    sink.appendBinary(layout, encodeParts(parts));
    if (isIndexed) for (const term of shapeTerms(parts)) sink.addTerm(cells, term);
  };
  return fieldType(config, {
    layout,
    valueKind: 'none',
    isAggregatable: false,
    shapes: { cellsField: isIndexed ? cellsField : null, isRight },
    parse(value, sink) {
      if (value !== null) readOrIgnore(ignores, name, sink, () => add(value, sink));
    },
    termQuery: () => refuseExact(config),
    rangeQuery: () => refuseRange(config),
    format: () => PLAIN_FORMAT,
    fetchValue: (value, format) => fetchShape(value, format, options),
  });
}

/**
 * `geo_shape`: points, lines and polygons, in GeoJSON or Well-Known Text. A column has the shapes with coordinates of
 * 32 bits; a hidden field has the cells of a quadtree that cover them, by which queries find candidates.
 */
export const geoShape: FieldTypeDefinition = {
  name: 'geo_shape',
  capabilities: withCapabilities({ refusesMatch: true }),
  parameters: [
    docValues,
    index,
    store,
    ignoreMalformed,
    booleanParameter('ignore_z_value', true, { updates: true }),
    booleanParameter('coerce', false, { updates: true }),
    orientation,
    meta,
  ],
  create,
  faultStyle: 'field',
};
