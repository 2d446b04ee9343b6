import { errors, isApiError } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import { faultAt, simpleTokenName } from '../document-fault.js';
import type { DocumentSink, FieldType } from '../field-type.js';
import { booleanParameter, integerParameter, javaText, meta, parameter } from '../parameter.js';
import { type FieldConfig, fieldType, type FieldTypeDefinition, PLAIN_FORMAT, refuseFormat, refuseRange } from './definition.js';
import { parseAnalyzer } from './text.js';

const WEIGHT_MAX = 2147483647;
const CONTEXTS_MAX = 10;

/** Between the tokens of the analysed input, and between the parts of a term; see the package's README. */
export const COMPLETION_SEPARATOR = '\u001f';

interface Entry {
  readonly inputs: readonly string[];
  readonly weight: number;
  readonly contexts: unknown;
}

function parseWeight(value: unknown): number {
  const text = javaText(value);
  if (!/^-?\d+$/.test(text)) throw errors.illegalArgument(`weight must be an integer, but was [${text}]`);
  const weight = Number(text);
  if (weight < 0 || weight > WEIGHT_MAX) throw errors.illegalArgument(`weight must be in the interval [0..2147483647], but was [${text}]`);
  return weight;
}

function parseInputs(value: unknown): readonly string[] {
  const inputs = Array.isArray(value) ? value : [value];
  return inputs.map((input) => {
    if (typeof input === 'string') return input;
    const shape = Array.isArray(value) ? 'input array must have string values, but was' : 'input must be a string or array, but was';
    throw errors.illegalArgument(`${shape} [${simpleTokenName(input)}]`);
  });
}

/** Reads an entry of a value; its faults are those of the entry. */
function at<Read>(container: Readonly<Record<string, unknown>>, key: string, read: (value: unknown) => Read): Read {
  try {
    return read(container[key]);
  } catch (error) {
    throw isApiError(error) ? faultAt({ container, key }, error) : error;
  }
}

function parseEntry(name: string, value: unknown, hasContexts: boolean): Entry {
  if (typeof value === 'string') return { inputs: [value], weight: 1, contexts: null };
  if (!isPlainObject(value)) throw errors.parsing(`failed to parse [${name}]: expected text or object, but got ${simpleTokenName(value)}`);
  for (const key of Object.keys(value)) {
    if (key !== 'input' && key !== 'weight' && key !== 'contexts') {
      throw faultAt({ container: value, key, at: 'key' }, errors.illegalArgument(`unknown field name [${key}], must be one of [contexts, weight, input]`));
    }
  }
  if (value['contexts'] !== undefined && !hasContexts) throw errors.illegalArgument(`contexts field is not supported for field: [${name}]`);
  return {
    inputs: value['input'] === undefined ? [] : at(value, 'input', parseInputs),
    weight: value['weight'] === undefined ? 1 : at(value, 'weight', parseWeight),
    contexts: value['contexts'] ?? null,
  };
}

function parseContexts(value: unknown): unknown {
  if (value === null) return null;
  const contexts = Array.isArray(value) ? value : [value];
  if (contexts.length > CONTEXTS_MAX) {
    throw errors.illegalArgument(`Limit of completion field contexts [${CONTEXTS_MAX}] has been exceeded`);
  }
  return contexts.map((context) => {
    if (!isPlainObject(context) || context['name'] === undefined) throw errors.parse('missing [name] in context mapping');
    const type = context['type'];
    if (type === undefined) throw errors.parse('missing [type] in context mapping');
    if (type !== 'category' && type !== 'geo') throw errors.parse(`unknown context type[${javaText(type)}]`);
    return { ...context, name: javaText(context['name']), type: String(type) };
  });
}

function create(config: FieldConfig): FieldType {
  const { name } = config;
  const { analysis } = config.options;
  const index = analysis.analyzer(config.text('analyzer')) ?? analysis.defaultAnalyzer;
  const search = analysis.analyzer(config.maybeText('search_analyzer') ?? '') ?? index;
  const layout = { name, terms: { freqs: false, positions: false, norms: false }, column: 'ordinals', points: false } as const;
  const lengthMax = config.number('max_input_length');
  const contexts = config.value('contexts');
  const add = (entry: Entry, sink: DocumentSink): void => {
    for (const input of entry.inputs) {
      if (input === '') continue;
      const cut = input.slice(0, lengthMax);
      const tokens = index.analyze(cut);
      const analysed = tokens.terms.slice(0, tokens.count).join(config.boolean('preserve_separators') ? ' ' : '');
      const tail = entry.contexts === null ? [] : [JSON.stringify(entry.contexts)];
      sink.addTerm(layout, [analysed, String(entry.weight).padStart(10, '0'), input, ...tail].join(COMPLETION_SEPARATOR));
    }
  };
  return fieldType(config, {
    layout,
    valueKind: 'none',
    indexAnalyzer: index,
    searchAnalyzer: search,
    searchQuoteAnalyzer: search,
    isAggregatable: false,
    parse(value, sink) {
      if (value !== null) add(parseEntry(name, value, contexts !== null), sink);
    },
    termQuery: (value) => ({ kind: 'term', term: javaText(value) }),
    rangeQuery: () => refuseRange(config),
    format(format, timeZone) {
      refuseFormat(config, format, timeZone);
      return PLAIN_FORMAT;
    },
    fetchValue: (value) => value,
  });
}

/** `completion`: inputs with weights for the completion suggester, as terms `analysed ␟ weight ␟ input [␟ contexts]`. */
export const completion: FieldTypeDefinition = {
  name: 'completion',
  parameters: [
    { ...parameter('analyzer', 'simple', parseAnalyzer), isAlwaysShown: true },
    parameter('search_analyzer', null, parseAnalyzer, { updates: true }),
    booleanParameter('preserve_separators', true, { isAlwaysShown: true }),
    booleanParameter('preserve_position_increments', true, { isAlwaysShown: true }),
    integerParameter('max_input_length', 50, { isAlwaysShown: true, updates: true }),
    parameter('contexts', null, parseContexts, { acceptsNull: true, isHiddenByDefault: true }),
    meta,
  ],
  create,
  faultStyle: 'cause',
};
