import { type FieldCapabilities, withCapabilities } from '../field-capabilities.js';
import { errors } from '@shoal/errors';
import { formatDouble } from '@shoal/values';
import { tokenFault, tokenName } from '../document-fault.js';
import type { DocumentSink, FieldType, RangeBounds, ValueQuery } from '../field-type.js';
import { javaText, type Parameter, parameter } from '../parameter.js';
import { rangeOrReversed } from '../reversed-range.js';
import { checkSearchable, type FieldConfig, fieldType, type FieldTypeDefinition, numberLayout } from './definition.js';
import { decimalNumberFormat } from './number-format.js';
import { parseDouble } from './number-text.js';
import { mayIgnore, numberParameters, readOrIgnore } from './whole-numbers.js';

const HALF_OVERFLOW = 65520;
const HALF_SMALLEST_NORMAL_EXPONENT = -14;
const HALF_FRACTION_BITS = 10;

/** The nearest IEEE 754 binary16 number, half to even; infinite beyond 65,504. */
export function roundToHalf(value: number): number {
  const size = Math.abs(value);
  if (!(size < HALF_OVERFLOW)) return Number.isNaN(value) ? value : value > 0 ? Infinity : -Infinity;
  if (size === 0) return value;
  const exponent = Math.max(Math.floor(Math.log2(size)), HALF_SMALLEST_NORMAL_EXPONENT);
  const quantum = 2 ** (exponent - HALF_FRACTION_BITS);
  const steps = value / quantum;
  const floor = Math.floor(steps);
  const rest = steps - floor;
  const up = rest > 0.5 || (rest === 0.5 && floor % 2 !== 0);
  return (up ? floor + 1 : floor) * quantum;
}

/** The next double above, as Java's Math.nextUp. */
export function nextUp(value: number): number {
  if (value === Infinity || Number.isNaN(value)) return value;
  if (value === 0) return Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + (value > 0 ? 1n : -1n));
  return view.getFloat64(0);
}

/** The next double below. */
export function nextDown(value: number): number {
  return -nextUp(-value);
}

/** A decimal type: its name and how it rounds stored values. */
interface DecimalKind {
  readonly name: string;
  round(value: number): number;
}

function checkFinite(kind: DecimalKind, given: number): number {
  const rounded = kind.round(given);
  if (Number.isFinite(rounded)) return rounded;
  const isSingle = kind.name === 'float';
  const shown = kind.name === 'half_float' || !isSingle ? given : Math.fround(given);
  throw errors.illegalArgument(`[${kind.name}] supports only finite values, but got [${formatDouble(shown)}]`);
}

/** A document's value as a number of the type; null for an empty string. */
function readDecimal(kind: DecimalKind, value: unknown, coerces: boolean): number | null {
  if (typeof value === 'number') return checkFinite(kind, value);
  if (typeof value === 'bigint') return checkFinite(kind, Number(value));
  if (typeof value === 'string') {
    if (!coerces) throw errors.illegalArgument(`${kind.name === 'double' ? 'Double' : 'Float'} value passed as String`);
    return value === '' ? null : checkFinite(kind, parseDouble(value));
  }
  if (typeof value === 'boolean')
    throw tokenFault(
      'jsonParse',
      `Current token (${tokenName(value)}) not numeric, can not use numeric value accessors`,
    );
  throw errors.illegalArgument('Cannot parse object as number');
}

function readQueryDecimal(value: unknown): number {
  return typeof value === 'number' ? value : parseDouble(javaText(value));
}

/** Bounds on stored decimals; an excluded end becomes the neighbouring double. */
function decimalBounds(kind: DecimalKind, bounds: RangeBounds): ValueQuery {
  let low = -Infinity;
  let high = Infinity;
  const lowValue = bounds.gte ?? bounds.gt ?? null;
  const highValue = bounds.lte ?? bounds.lt ?? null;
  // As in 8.12 the ends of a range over half_float keep what a half cannot hold: 1.3 is stored as less than 1.3.
  const round = kind.name === 'half_float' ? Math.fround : kind.round;
  if (lowValue !== null) {
    low = round(readQueryDecimal(lowValue));
    if ((bounds.gt ?? null) !== null) low = nextUp(low);
  }
  if (highValue !== null) {
    high = round(readQueryDecimal(highValue));
    if ((bounds.lt ?? null) !== null) high = nextDown(high);
  }
  return rangeOrReversed({ kind: 'number', low, high });
}

function decimalField(config: FieldConfig, kind: DecimalKind): FieldType {
  const { name } = config;
  const layout = numberLayout(name, 'double', config.boolean('index'), config.boolean('doc_values'));
  const coerces = config.boolean('coerce');
  const ignores = config.boolean('ignore_malformed');
  const nullValue = config.value('null_value');
  const nullNumber = nullValue === null ? null : readDecimal(kind, nullValue, true);
  const add = (sink: DocumentSink, value: number | null): void => {
    if (value !== null && layout !== null) sink.addNumber(layout, value);
  };
  return fieldType(config, {
    layout,
    valueKind: 'double',
    parse(value, sink) {
      if (value === null) add(sink, nullNumber);
      else
        add(
          sink,
          readOrIgnore(mayIgnore(ignores, value), name, sink, () => readDecimal(kind, value, coerces) ?? nullNumber),
        );
    },
    termQuery(value) {
      checkSearchable(name, layout);
      const number = checkFinite(kind, readQueryDecimal(value));
      return { kind: 'number', low: number, high: number };
    },
    rangeQuery(bounds) {
      checkSearchable(name, layout);
      return decimalBounds(kind, bounds);
    },
    format: (format) => decimalNumberFormat(format),
    fetchValue: (value) => (value === '' && nullNumber !== null ? nullNumber : fetchDecimal(kind, value)),
    // Lucene stores the value before it is rounded to 16 bits.
    storedValue: (value) => fetchDecimal(kind.name === 'half_float' ? { ...kind, round: Math.fround } : kind, value),
  });
}

function fetchDecimal(kind: DecimalKind, value: unknown): unknown {
  try {
    return readDecimal(kind, value, true) ?? undefined;
  } catch {
    return undefined;
  }
}

function readNullValue(kind: DecimalKind, value: unknown): unknown {
  return readDecimal(kind, value, true);
}

function definition(kind: DecimalKind, capabilities: FieldCapabilities): FieldTypeDefinition {
  return {
    name: kind.name,
    capabilities,
    parameters: numberParameters((value) => readNullValue(kind, value)),
    create: (config) => decimalField(config, kind),
  };
}

const capabilitiesOf = (floatBits: 16 | 32 | 64): FieldCapabilities =>
  withCapabilities({ printsFloats: floatBits < 64, floatBits });

/** `double`: IEEE 754 binary64. */
export const double: FieldTypeDefinition = definition({ name: 'double', round: (value) => value }, capabilitiesOf(64));
/** `float`: rounded to binary32. */
export const float: FieldTypeDefinition = definition({ name: 'float', round: Math.fround }, capabilitiesOf(32));
/** `half_float`: rounded to binary16. */
export const halfFloat: FieldTypeDefinition = definition(
  { name: 'half_float', round: roundToHalf },
  capabilitiesOf(16),
);

const scalingFactor: Parameter = parameter('scaling_factor', null, (value) => {
  const factor = parseDouble(javaText(value));
  if (factor > 0 && Number.isFinite(factor)) return factor;
  throw errors.illegalArgument(`[scaling_factor] must be a positive number, got [${formatDouble(factor)}]`);
});

/** `scaled_float`: rounded to multiples of 1 / `scaling_factor`. */
export const scaledFloat: FieldTypeDefinition = {
  name: 'scaled_float',
  parameters: [
    ...numberParameters((value) => readDecimal({ name: 'scaled_float', round: (number) => number }, value, true)),
    scalingFactor,
  ],
  create(config) {
    const factor = config.value('scaling_factor');
    if (typeof factor !== 'number') throw errors.illegalArgument('Field [scaling_factor] is required');
    return decimalField(config, { name: 'scaled_float', round: (value) => Math.floor(value * factor + 0.5) / factor });
  },
};
