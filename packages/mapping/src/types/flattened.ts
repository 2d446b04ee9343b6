import { withCapabilities } from '../field-capabilities.js';
import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import type { FieldLayout } from '@shoal/segments';
import { DocumentFault, simpleTokenName } from '../document-fault.js';
import type { DocumentSink, FieldType } from '../field-type.js';
import {
  booleanParameter,
  choiceParameter,
  docValues,
  eagerGlobalOrdinals,
  ignoreAbove,
  index,
  javaText,
  meta,
  nullValueParameter,
  parameter,
  parseInteger,
  similarity,
} from '../parameter.js';
import { type FieldConfig, type FieldTypeDefinition, termsLayout } from './definition.js';
import { keywordField } from './keyword.js';

const KEYED_BYTES_MAX = 32766;

function parseDepthLimit(value: unknown): unknown {
  const limit = parseInteger(value);
  if (limit < 0) throw errors.illegalArgument(`[depth_limit] must be positive, got [${limit}]`);
  return limit;
}

function expectObject(value: unknown): never {
  const reason = `Failed to parse object: expecting token of type [START_OBJECT] but found [${simpleTokenName(value)}]`;
  throw new DocumentFault(({ line, startColumn: col }) => errors.parsing(reason, { meta: { line, col } }));
}

/** Calls back for each leaf of an object with its key; each element of an array is a leaf. */
function visitLeaves(
  value: unknown,
  key: string,
  depth: number,
  limit: number,
  field: string,
  visit: (key: string, leaf: unknown) => void,
): void {
  if (Array.isArray(value)) {
    for (const item of value) visitLeaves(item, key, depth, limit, field, visit);
  } else if (isPlainObject(value)) {
    if (depth > limit)
      throw errors.illegalArgument(
        `The provided [flattened] field [${field}] exceeds the maximum depth limit of [${limit}].`,
      );
    for (const [name, inner] of Object.entries(value))
      visitLeaves(inner, key === '' ? name : `${key}.${name}`, depth + 1, limit, field, visit);
  } else {
    visit(key, value);
  }
}

function checkKeyed(field: string, key: string, text: string): void {
  const bytes = Buffer.byteLength(key) + Buffer.byteLength(text) + 1;
  if (bytes <= KEYED_BYTES_MAX) return;
  throw errors.illegalArgument(
    `Flattened field [${field}] contains one immense field whose keyed encoding is longer than the allowed max ` +
      `length of ${KEYED_BYTES_MAX} bytes. ` +
      `Key length: ${Buffer.byteLength(key)}, value length: ${Buffer.byteLength(text)} for key starting with ` +
      `[${key.slice(0, 50)}]`,
  );
}

/** Returns the layouts of keys; each is created once, so that all values of a key go to one entry. */
function keyedLayouts(config: FieldConfig): (key: string) => FieldLayout | null {
  const layouts = new Map<string, FieldLayout | null>();
  return (key) => {
    let layout = layouts.get(key);
    if (layout === undefined) {
      layout = termsLayout(`${config.name}.${key}`, config.boolean('index'), config.boolean('doc_values'));
      layouts.set(key, layout);
    }
    return layout;
  };
}

/** One key of a flattened field. Ranges need both ends: 8.12 keeps the values of all keys in one field. */
function keyField(keyOf: string, config: FieldConfig, behaviour: Parameters<typeof keywordField>[1]): FieldType {
  const field = keywordField(config, behaviour);
  return {
    ...field,
    keyOf,
    fetchValue: (value) => value,
    rangeQuery(bounds, context) {
      const { gt, gte, lt, lte } = bounds;
      if ((gt ?? gte ?? null) === null || (lt ?? lte ?? null) === null)
        throw errors.illegalArgument(
          '[range] queries on keyed [flattened] fields must include both an upper and a lower bound.',
        );
      return field.rangeQuery(bounds, context);
    },
  };
}

function create(config: FieldConfig): FieldType {
  const layout = termsLayout(config.name, config.boolean('index'), config.boolean('doc_values'));
  const behaviour = {
    layout,
    searchesOnlyPostings: true,
    ignoreAbove: config.number('ignore_above'),
    nullValue: null,
    normalize: (value: string) => value,
  };
  const layoutOf = keyedLayouts(config);
  const nullValue = config.maybeText('null_value');
  const addLeaf = (key: string, leaf: unknown, sink: DocumentSink): void => {
    const text = leaf === null ? nullValue : javaText(leaf);
    if (text === null || text.length > behaviour.ignoreAbove) return;
    checkKeyed(config.name, key, text);
    const keyed = layoutOf(key);
    if (layout !== null) sink.addTerm(layout, text);
    if (keyed !== null) sink.addTerm(keyed, text);
  };
  return {
    ...keywordField(config, behaviour),
    dimensionKeys: config.value('time_series_dimensions') as readonly string[],
    parse(value, sink) {
      if (value === null) return;
      if (!isPlainObject(value)) expectObject(value);
      sink.mayRepeat = true;
      visitLeaves(value, '', 1, config.number('depth_limit'), config.name, (key, leaf) => addLeaf(key, leaf, sink));
    },
    keyed: (key) =>
      keyField(config.name, { ...config, name: `${config.name}.${key}` }, { ...behaviour, layout: layoutOf(key) }),
    fetchValue: (value) => value,
  };
}

/**
 * `flattened`: an object whose leaves are indexed as keywords, in the field itself and in a field of each key's path.
 */
export const flattened: FieldTypeDefinition = {
  name: 'flattened',
  capabilities: withCapabilities({ isHighlighted: true, hasPatterns: true }),
  parameters: [
    index,
    docValues,
    parameter('depth_limit', 20, parseDepthLimit, { updates: true }),
    nullValueParameter((value) => javaText(value)),
    eagerGlobalOrdinals,
    ignoreAbove,
    choiceParameter('index_options', 'docs', ['docs', 'freqs']),
    similarity,
    booleanParameter('split_queries_on_whitespace', false, { updates: true }),
    meta,
    parameter('time_series_dimensions', Object.freeze([]), (value) =>
      Array.isArray(value) ? value.map(javaText) : [javaText(value)],
    ),
  ],
  create,
};
