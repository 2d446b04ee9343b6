import { errors } from '@shoal/errors';
import { tokenFault, tokenName } from '../document-fault.js';
import type { DocumentSink, FieldType, RangeBounds, ValueFormat, ValueQuery } from '../field-type.js';
import {
  docValues,
  ignoreMalformed,
  index,
  javaText,
  meta,
  nullValueParameter,
  onScriptError,
  parseBoolean,
  script,
  store,
} from '../parameter.js';
import {
  checkSearchable,
  type FieldConfig,
  fieldType,
  type FieldTypeDefinition,
  numberLayout,
  refuseFormat,
} from './definition.js';
import { mayIgnore, readOrIgnore } from './whole-numbers.js';

function readBoolean(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') return value === '' ? false : parseBoolean(value);
  throw tokenFault('jsonParse', `Current token (${tokenName(value)}) not of boolean type`);
}

function readQueryBoolean(value: unknown): number {
  const text = javaText(value ?? 'false');
  if (text === 'true') return 1;
  if (text === 'false') return 0;
  throw errors.illegalArgument(`Can't parse boolean value [${text}], expected [true] or [false]`);
}

/**
 * Without an index, 8.12 forgets an exclusive upper bound unless it excludes everything
 * (BooleanFieldMapper.rangeQuery).
 */
function columnBounds(bounds: RangeBounds): ValueQuery {
  const lowValue = bounds.gte ?? bounds.gt ?? null;
  const highValue = bounds.lte ?? bounds.lt ?? null;
  const isHighExclusive = (bounds.lt ?? null) !== null;
  const low = lowValue === null ? 0 : readQueryBoolean(lowValue) + ((bounds.gt ?? null) === null ? 0 : 1);
  const high = highValue === null ? 1 : readQueryBoolean(highValue);
  const shifted = isHighExclusive ? Math.min(0, low - 1) : low;
  return shifted > high ? { kind: 'none' } : { kind: 'number', low: shifted, high };
}

function booleanBounds(bounds: RangeBounds): ValueQuery {
  const lowValue = bounds.gte ?? bounds.gt ?? null;
  const highValue = bounds.lte ?? bounds.lt ?? null;
  const low = lowValue === null ? 0 : readQueryBoolean(lowValue) + ((bounds.gt ?? null) === null ? 0 : 1);
  const high = highValue === null ? 1 : readQueryBoolean(highValue) - ((bounds.lt ?? null) === null ? 0 : 1);
  return low > high ? { kind: 'none' } : { kind: 'number', low, high };
}

/** Columns hold 0 and 1, which are also keys and sort values; their texts are `false` and `true`. */
const FORMAT: ValueFormat = {
  toJson: (value) => value,
  toText: (value) => (Number(value) === 0 ? 'false' : 'true'),
  parse: (value) => (value === 1 || value === 0 ? value : readQueryBoolean(value)),
};

function create(config: FieldConfig): FieldType {
  const { name } = config;
  const layout = numberLayout(name, 'long', config.boolean('index'), config.boolean('doc_values'));
  const ignores = config.boolean('ignore_malformed');
  const nullValue = config.value('null_value');
  const add = (sink: DocumentSink, value: unknown): void => {
    if (value !== null && layout !== null) sink.addNumber(layout, value === true ? 1 : 0);
  };
  return fieldType(config, {
    layout,
    valueKind: 'boolean',
    parse(value, sink) {
      if (value === null) add(sink, nullValue);
      else
        add(
          sink,
          readOrIgnore(mayIgnore(ignores, value), name, sink, () => readBoolean(value)),
        );
    },
    termQuery(value) {
      checkSearchable(name, layout);
      const number = readQueryBoolean(value);
      return { kind: 'number', low: number, high: number };
    },
    rangeQuery(bounds) {
      checkSearchable(name, layout);
      return layout?.points ? booleanBounds(bounds) : columnBounds(bounds);
    },
    format(format, timeZone) {
      refuseFormat(config, format, timeZone);
      return FORMAT;
    },
    fetchValue: (value) =>
      value === true || value === 'true'
        ? true
        : value === false || value === 'false' || value === ''
          ? false
          : undefined,
  });
}

/** `boolean`: true, false, their texts, and an empty text for false. */
export const boolean: FieldTypeDefinition = {
  name: 'boolean',
  parameters: [
    meta,
    docValues,
    index,
    nullValueParameter((value) => parseBoolean(value)),
    store,
    script,
    onScriptError,
    ignoreMalformed,
  ],
  create,
};
