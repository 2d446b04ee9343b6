import { withCapabilities, type FieldCapabilities } from '../field-capabilities.js';
import { errors, isApiError } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import { type DateFormat, dateFormat, formatDouble, formatFloat, formatIp, parseCidr } from '@shoal/values';
import { DocumentFault, faultAt } from '../document-fault.js';
import type { FieldType, RangeBounds, ValueContext, ValueQuery } from '../field-type.js';
import { coerce, docValues, index, javaText, meta, type Parameter, store, textParameter } from '../parameter.js';
import { dateBounds, DEFAULT_DATE_FORMAT, epoch, formatParameter } from './date.js';
import {
  checkIndexed,
  type FieldConfig,
  fieldType,
  type FieldTypeDefinition,
  PLAIN_FORMAT,
  termsLayout,
} from './definition.js';
import { readIp } from './ip.js';
import { notNumeric, parseDouble, splitDecimal } from './number-text.js';
import { decodeDouble, decodeWhole, encodeDouble, encodeWhole, floatNeighbour, neighbour } from './range-bytes.js';
import { readWhole, WHOLE_KINDS, type WholeKind } from './whole-numbers.js';

/** Values of a range type, encoded as texts of one width whose order is that of the values. */
interface RangeKind {
  readonly width: number;
  readonly lowest: string;
  readonly highest: string;
  /** Text of the next greater (`step` 1) or smaller (-1) value. */
  neighbour(text: string, step: 1 | -1): string;
  /** Encodes a bound of a document. `roundUp` for an inclusive upper and an exclusive lower bound. */
  read(value: unknown, roundUp: boolean): string;
  /** Encodes the bounds of a query, inclusive. */
  readQuery(bounds: RangeBounds, context: ValueContext): { readonly low: string; readonly high: string };
  show(text: string): string;
  /** A bound as `fields` of a search shows it; `pattern` is the format asked for. */
  fetch(value: unknown, pattern: string | null): unknown;
}

/** Both ends, inclusive. */
interface RangeEnds {
  readonly low: string;
  readonly high: string;
}

/** Converts bounds to inclusive ends; an excluded bound becomes the neighbouring value. */
function endsOf(
  kind: Pick<RangeKind, 'lowest' | 'highest' | 'neighbour'>,
  bounds: RangeBounds,
  read: (value: unknown, roundUp: boolean) => string,
): RangeEnds {
  const given = (value: unknown): boolean => value !== undefined && value !== null;
  let low = kind.lowest;
  let high = kind.highest;
  if (given(bounds.gte)) low = read(bounds.gte, false);
  else if (given(bounds.gt)) low = kind.neighbour(read(bounds.gt, true), 1);
  if (given(bounds.lte)) high = read(bounds.lte, true);
  else if (given(bounds.lt)) high = kind.neighbour(read(bounds.lt, false), -1);
  return { low, high };
}

function wholeKind(kind: WholeKind): RangeKind {
  const ends = { lowest: encodeWhole(kind.min), highest: encodeWhole(kind.max), neighbour };
  const read = (value: unknown): string => {
    if (typeof value === 'string' && !splitDecimal(value)) throw notNumeric(value);
    return encodeWhole(BigInt(readWhole(kind, value, true) ?? 0));
  };
  return {
    width: 8,
    ...ends,
    read,
    readQuery: (bounds) =>
      endsOf(ends, bounds, (value) => {
        refuseFraction(value);
        return read(value);
      }),
    show: (text) => decodeWhole(text).toString(),
    fetch: (value) => exactNumber(decodeWhole(read(value))),
  };
}

/** Refuses a query's bound with a fraction. A text is shown by its bytes, the form in which 8.12 keeps it. */
function refuseFraction(value: unknown): void {
  if (splitDecimal(javaText(value))?.hasFraction !== true) return;
  const hex = (text: string): string =>
    Buffer.from(text)
      .toString('hex')
      .replace(/..(?=.)/g, '$& ');
  throw errors.illegalArgument(
    `Value [${typeof value === 'string' ? `[${hex(value)}]` : javaText(value)}] has a decimal part`,
  );
}

/** A number, or a bigint where a number would not be exact. */
const exactNumber = (value: bigint): number | bigint => (Number.isSafeInteger(Number(value)) ? Number(value) : value);

/** Floats are kept as the doubles that equal them. */
function decimalKind(isFloat: boolean): RangeKind {
  const ends = {
    lowest: encodeDouble(-Infinity),
    highest: encodeDouble(Infinity),
    neighbour: isFloat ? floatNeighbour : neighbour,
  };
  const read = (value: unknown): string => {
    const number = typeof value === 'number' ? value : parseDouble(javaText(value));
    return encodeDouble(isFloat ? Math.fround(number) : number);
  };
  const show = (text: string): string => (isFloat ? formatFloat : formatDouble)(decodeDouble(text));
  return {
    width: 8,
    ...ends,
    read,
    readQuery: (bounds) => endsOf(ends, bounds, read),
    show,
    fetch: (value) => Number(show(read(value))),
  };
}

function dateKind(format: DateFormat): RangeKind {
  const ends = { lowest: encodeWhole(-(2n ** 63n)), highest: encodeWhole(2n ** 63n - 1n), neighbour };
  // Incomplete dates in documents are not rounded up.
  const read = (value: unknown): string =>
    encodeWhole(BigInt(format.parseRounded(javaText(value), { roundUp: false, now: epoch })));
  const clamp = (ms: number, open: string): string => (Number.isFinite(ms) ? encodeWhole(BigInt(ms)) : open);
  return {
    width: 8,
    ...ends,
    read,
    readQuery(bounds, context) {
      const { low, high } = dateBounds(bounds, format, context);
      return { low: clamp(low, ends.lowest), high: clamp(high, ends.highest) };
    },
    show: (text) => decodeWhole(text).toString(),
    fetch: (value, pattern) =>
      (pattern === null ? format : dateFormat(pattern)).print(Number(decodeWhole(read(value)))),
  };
}

const IP_KIND: RangeKind = {
  width: 16,
  lowest: '\u0000'.repeat(16),
  highest: '\u00ff'.repeat(16),
  neighbour,
  read: (value) => readIp(javaText(value)),
  readQuery: (bounds) => endsOf(IP_KIND, bounds, IP_KIND.read),
  show: formatIp,
  fetch: (value) => value,
};

const BOUND_KEYS = ['gt', 'gte', 'lt', 'lte', 'from', 'to', 'include_lower', 'include_upper'];

function documentBounds(name: string, value: Readonly<Record<string, unknown>>): RangeBounds {
  for (const key of Object.keys(value)) {
    if (BOUND_KEYS.includes(key)) continue;
    throw new DocumentFault(
      ({ line, column }) =>
        errors.documentParsing(`[${line}:${column}] error parsing field [${name}], with unknown parameter [${key}]`),
      { container: value, key },
    );
  }
  const bounds: Record<string, unknown> = {};
  for (const key of ['gt', 'gte', 'lt', 'lte']) if (value[key] !== undefined) bounds[key] = value[key];
  if (value['from'] !== undefined) bounds[value['include_lower'] === false ? 'gt' : 'gte'] = value['from'];
  if (value['to'] !== undefined) bounds[value['include_upper'] === false ? 'lt' : 'lte'] = value['to'];
  return bounds;
}

/** Reads a bound of an object; the position of an error is the bound's. */
function readAt(
  kind: RangeKind,
  container: Readonly<Record<string, unknown>>,
): (value: unknown, roundUp: boolean) => string {
  return (value, roundUp) => {
    try {
      return kind.read(value, roundUp);
    } catch (error) {
      const key = Object.keys(container).find((candidate) => container[candidate] === value);
      if (key === undefined) throw error;
      if (isApiError(error)) throw faultAt({ container, key }, error);
      throw error instanceof DocumentFault ? new DocumentFault(error.complete, { container, key }) : error;
    }
  };
}

function expectObject(name: string): DocumentFault {
  const field = name.split('.').at(-1) ?? name;
  return new DocumentFault(({ line, column, isItem }) => {
    const found = isItem ? 'null' : field;
    return errors.documentParsing(
      `[${line}:${column}] error parsing field [${name}], expected an object but got ${found}`,
    );
  });
}

function readRange(name: string, kind: RangeKind, value: unknown, acceptsCidr: boolean): RangeEnds {
  if (acceptsCidr && typeof value === 'string') {
    const range = parseCidr(value);
    if (range) return range;
    throw errors.illegalArgument(`Expected [ip/prefix] but was [${value}]`);
  }
  if (!isPlainObject(value)) throw expectObject(name);
  const ends = endsOf(kind, documentBounds(name, value), readAt(kind, value));
  if (ends.low > ends.high) {
    const error = errors.illegalArgument(
      `min value (${kind.show(ends.low)}) is greater than max value (${kind.show(ends.high)})`,
    );
    throw new DocumentFault(() => error, null, 'null');
  }
  return ends;
}

type Relation = 'INTERSECTS' | 'CONTAINS' | 'WITHIN';

/** Whether the range of a term has the relation to the range of a query. */
function relates(term: string, width: number, { low, high }: RangeEnds, relation: Relation): boolean {
  const from = term.slice(0, width);
  const to = term.slice(width);
  if (relation === 'CONTAINS') return from <= low && to >= high;
  return relation === 'WITHIN' ? from >= low && to <= high : from <= high && to >= low;
}

/** Query on the ranges of a field; `hasColumn` tells whether it has doc values. */
function rangeQuery(kind: RangeKind, ends: RangeEnds, relation: string | undefined, hasColumn: boolean): ValueQuery {
  if (ends.low > ends.high) return { kind: 'none' };
  const wanted = (relation ?? 'INTERSECTS').toUpperCase() as Relation;
  const [from, to] = [ends.low, ends.high].map((end) => (kind === IP_KIND ? `/${kind.show(end)}` : kind.show(end)));
  return {
    kind: 'dictionary',
    matches: (term) => relates(term, kind.width, ends, wanted),
    text: `<ranges:[${from} : ${to}]>`,
    docValuesText: hasColumn ? `BinaryDocValuesRangeQuery(fieldName=,from=${from},to=${to})` : null,
  };
}

function rangeField(config: FieldConfig, kind: RangeKind, acceptsCidr: boolean): FieldType {
  const { name } = config;
  const isIndexed = config.boolean('index');
  const hasColumn = config.boolean('doc_values');
  const layout = termsLayout(name, isIndexed, hasColumn);
  const requireSearchable = (): void => checkIndexed(name, isIndexed);
  return fieldType(config, {
    layout,
    valueKind: 'none',
    isSearchable: isIndexed,
    requireSearchable,
    parse(value, sink) {
      if (value === null) return;
      const { low, high } = readRange(name, kind, value, acceptsCidr);
      if (layout !== null) sink.addTerm(layout, low + high);
    },
    termQuery(value, context) {
      requireSearchable();
      return rangeQuery(kind, kind.readQuery({ gte: value, lte: value }, context), 'INTERSECTS', hasColumn);
    },
    rangeQuery(bounds, context) {
      requireSearchable();
      if (kind !== IP_KIND) refuseReversed(kind, bounds, context);
      return rangeQuery(kind, kind.readQuery(bounds, context), bounds.relation, hasColumn);
    },
    format: () => ({
      ...PLAIN_FORMAT,
      toText: (term) =>
        `${kind.show(String(term).slice(0, kind.width))} : ${kind.show(String(term).slice(kind.width))}`,
    }),
    fetchValue: (value, pattern) => fetchRange(kind, value, pattern),
    storedValue(value) {
      const { low, high } = readRange(name, kind, value, acceptsCidr);
      return isPlainObject(value) ? storedText(kind, value, { low, high }) : `[${kind.show(low)} : ${kind.show(high)}]`;
    },
  });
}

/** A range of a document as 8.12 stores it: with the bounds that were given, in or out. */
function storedText(kind: RangeKind, given: Readonly<Record<string, unknown>>, { low, high }: RangeEnds): string {
  const { gt, lt } = documentBounds('', given);
  const from = isGiven(gt) ? `(${kind.show(kind.read(gt, false))}` : `[${kind.show(low)}`;
  const to = isGiven(lt) ? `${kind.show(kind.read(lt, false))})` : `${kind.show(high)}]`;
  return `${from} : ${to}`;
}

const isGiven = (bound: unknown): boolean => bound !== undefined && bound !== null;

/** Refuses a query whose lower bound is above its upper one, both taken without excluding them. */
function refuseReversed(kind: RangeKind, bounds: RangeBounds, context: ValueContext): void {
  const { gt, gte, lt, lte, ...rest } = bounds;
  const from = gte ?? gt ?? null;
  const to = lte ?? lt ?? null;
  if (from === null || to === null) return;
  const { low, high } = kind.readQuery({ ...rest, gte: from, lte: to }, context);
  if (low <= high) return;
  throw errors.illegalArgument(
    `Range query \`from\` value (${kind.show(low)}) is greater than \`to\` value (${kind.show(high)})`,
  );
}

/** The bounds of a range as they were indexed, each in its format; undefined when one cannot be read. */
function fetchRange(kind: RangeKind, value: unknown, pattern: string | null): unknown {
  if (!isPlainObject(value)) return value;
  try {
    return Object.fromEntries(Object.entries(value).map(([key, bound]) => [key, kind.fetch(bound, pattern)]));
  } catch {
    return undefined;
  }
}

const parameters: readonly Parameter[] = [index, docValues, store, coerce, meta];

function definition(
  name: string,
  kind: RangeKind,
  rangesOver: FieldCapabilities['rangesOver'],
  acceptsCidr = false,
): FieldTypeDefinition {
  return {
    name,
    parameters,
    capabilities: withCapabilities({ rangesOver }),
    create: (config) => rangeField(config, kind, acceptsCidr),
  };
}

/** Range types. A term is the encoded lower end followed by the encoded upper end. */
export const rangeTypes: readonly FieldTypeDefinition[] = [
  definition('integer_range', wholeKind(WHOLE_KINDS.integer), 'whole'),
  definition('long_range', wholeKind(WHOLE_KINDS.long), 'whole'),
  definition('float_range', decimalKind(true), 'decimal'),
  definition('double_range', decimalKind(false), 'decimal'),
  definition('ip_range', IP_KIND, null, true),
  {
    name: 'date_range',
    capabilities: withCapabilities({ rangesOver: 'date' }),
    parameters: [
      index,
      docValues,
      store,
      coerce,
      formatParameter(DEFAULT_DATE_FORMAT),
      textParameter('locale', ''),
      meta,
    ],
    create: (config) => rangeField(config, dateKind(dateFormat(config.text('format'))), false),
  },
];
