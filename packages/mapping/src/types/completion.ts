import { withCapabilities } from '../field-capabilities.js';
import type { Analyzer } from '@shoal/analysis';
import { errors, isApiError } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import type { FieldLayout } from '@shoal/segments';
import { DocumentFault, faultAt, simpleTokenName } from '../document-fault.js';
import type { DocumentSink, FieldType } from '../field-type.js';
import { booleanParameter, integerParameter, javaText, meta, parameter } from '../parameter.js';
import {
  type FieldConfig,
  fieldType,
  type FieldTypeDefinition,
  PLAIN_FORMAT,
  refuseFormat,
  refuseRange,
} from './definition.js';
import {
  type ContextMapping,
  type ContextValues,
  contextsOfFields,
  parseContextMappings,
  readContexts,
} from './completion-contexts.js';
import { parseAnalyzer } from './text.js';

const WEIGHT_MAX = 2147483647;

/** Separates the tokens of the analysed input, and the parts of a term; see the package's README. */
export const COMPLETION_SEPARATOR = '\u001f';

interface Entry {
  readonly inputs: readonly string[];
  readonly weight: number;
  readonly contexts: ContextValues;
}

function parseWeight(value: unknown): number {
  const text = javaText(value);
  if (!/^-?\d+$/.test(text)) throw errors.illegalArgument(`weight must be an integer, but was [${text}]`);
  const weight = Number(text);
  if (weight < 0 || weight > WEIGHT_MAX)
    throw errors.illegalArgument(`weight must be in the interval [0..2147483647], but was [${text}]`);
  return weight;
}

function parseInputs(value: unknown): readonly string[] {
  const inputs = Array.isArray(value) ? value : [value];
  return inputs.map((input) => {
    if (typeof input === 'string') return input;
    const shape = Array.isArray(value)
      ? 'input array must have string values, but was'
      : 'input must be a string or array, but was';
    throw errors.illegalArgument(`${shape} [${simpleTokenName(input)}]`);
  });
}

/** Reads a key of an entry; the position of an error is the key's. */
function at<Read>(container: Readonly<Record<string, unknown>>, key: string, read: (value: unknown) => Read): Read {
  try {
    return read(container[key]);
  } catch (error) {
    throw isApiError(error) ? faultAt({ container, key }, error) : error;
  }
}

function notAnEntry(name: string, value: unknown): DocumentFault {
  const reason = `failed to parse [${name}]: expected text or object, but got ${simpleTokenName(value)}`;
  return new DocumentFault(({ line, startColumn: col }) => errors.parsing(reason, { meta: { line, col } }));
}

/** In an array 8.12 takes texts and objects only, and names no field. */
function refuseItem(item: unknown): void {
  if (typeof item !== 'string' && !isPlainObject(item)) throw notAnEntry('null', item);
}

function parseEntry(
  name: string,
  value: unknown,
  contexts: readonly ContextMapping[] | null,
  isLogged: boolean,
): Entry {
  if (typeof value === 'string') return { inputs: [value], weight: 1, contexts: new Map() };
  if (!isPlainObject(value)) throw notAnEntry(name, value);
  for (const key of Object.keys(value)) {
    if (key !== 'input' && key !== 'weight' && key !== 'contexts') {
      throw faultAt(
        { container: value, key, at: 'key' },
        errors.illegalArgument(`unknown field name [${key}], must be one of [contexts, weight, input]`),
      );
    }
  }
  if (value['contexts'] !== undefined && contexts === null) {
    throw faultAt(
      { container: value, key: 'contexts' },
      errors.illegalArgument(`contexts field is not supported for field: [${name}]`),
    );
  }
  return {
    inputs: value['input'] === undefined ? [] : at(value, 'input', parseInputs),
    weight: value['weight'] === undefined ? 1 : at(value, 'weight', parseWeight),
    contexts: contexts === null ? new Map() : readContexts(value['contexts'], contexts, value, isLogged),
  };
}

/** Characters that 8.12 keeps for itself within the terms of inputs. */
const RESERVED = /[\u0000\u001e\u001f]/;

function refuseReserved(inputs: readonly string[]): void {
  for (const input of inputs) {
    const at = input.search(RESERVED);
    if (at < 0) continue;
    const code = input.charCodeAt(at).toString(16);
    throw errors.illegalArgument(
      `Illegal input [${input}] UTF-16 codepoint [0x${code}] at position ${at} is a reserved character`,
    );
  }
}

/** Text that Java's `trim` leaves nothing of. */
const BLANK = /^[\u0000-\u0020]*$/;

/** The beginning of an input, which ends in no half of a surrogate pair. */
function shortened(input: string, lengthMax: number): string {
  if (input.length <= lengthMax) return input;
  const last = input.charCodeAt(lengthMax - 1);
  return input.slice(0, last >= 0xd800 && last <= 0xdbff ? lengthMax + 1 : lengthMax);
}

/** The inputs of a document's field, each once: a text has the weight 1, of objects the heaviest counts. */
type Inputs = Map<string, Entry>;

function collect(entry: Entry, isText: boolean, into: Inputs): void {
  for (const input of entry.inputs) {
    const known = into.get(input);
    if (isText || known === undefined || known.weight < entry.weight) into.set(input, entry);
  }
}

/** Adds the term of an input; returns false if analysis leaves nothing of it. */
function addInput(given: string, weight: number, contexts: ContextValues, field: CompletionField, sink: DocumentSink) {
  const input = shortened(given, field.lengthMax);
  const tokens = field.analyzer.analyze(input);
  if (tokens.count === 0) return false;
  const tail = contexts.size === 0 ? [] : [JSON.stringify(Object.fromEntries(contexts))];
  const analysed = tokens.terms.slice(0, tokens.count).join(field.separator);
  sink.addTerm(field.layout, [analysed, String(weight).padStart(10, '0'), input, ...tail].join(COMPLETION_SEPARATOR));
  return true;
}

/** The contexts of an entry; those that it does not name may come from other fields of the document. */
function contextsOf(name: string, entry: Entry, contexts: readonly ContextMapping[], sink: DocumentSink) {
  const values = new Map([...contextsOfFields(contexts, (path) => sink.valuesOf(path)), ...entry.contexts]);
  const isNamed = [...values.values()].some((texts) => texts.length > 0);
  if (!isNamed) throw errors.illegalArgument(`Contexts are mandatory in context enabled completion field [${name}]`);
  return values;
}

/** Adds the inputs of a document once it is parsed. */
function addInputs(
  name: string,
  inputs: Inputs,
  contexts: readonly ContextMapping[] | null,
  field: CompletionField,
  sink: DocumentSink,
): void {
  let isIndexed = false;
  for (const [input, entry] of inputs) {
    // Earlier builds took documents with reserved characters.
    if (BLANK.test(input) || (sink.isLogged && RESERVED.test(input))) continue;
    const values = contexts === null ? entry.contexts : contextsOf(name, entry, contexts, sink);
    if (addInput(input, entry.weight, values, field, sink)) isIndexed = true;
  }
  if (!isIndexed) sink.markPresent(name);
}

/** How a completion field turns inputs into terms. */
interface CompletionField {
  readonly layout: FieldLayout;
  readonly analyzer: Analyzer;
  readonly lengthMax: number;
  readonly separator: string;
}

function create(config: FieldConfig): FieldType {
  const { name } = config;
  const { analysis } = config.options;
  const index = analysis.analyzer(config.text('analyzer')) ?? analysis.defaultAnalyzer;
  const search = analysis.analyzer(config.maybeText('search_analyzer') ?? '') ?? index;
  const layout = {
    name,
    terms: { freqs: false, positions: false, norms: true },
    column: 'ordinals',
    points: false,
  } as const;
  const lengthMax = config.number('max_input_length');
  const contexts = config.value('contexts') as readonly ContextMapping[] | null;
  const field: CompletionField = {
    layout,
    analyzer: index,
    lengthMax,
    separator: config.boolean('preserve_separators') ? ' ' : '',
  };
  return fieldType(config, {
    layout,
    valueKind: 'none',
    indexAnalyzer: index,
    searchAnalyzer: search,
    searchQuoteAnalyzer: search,
    isAggregatable: false,
    parse(value, sink) {
      if (value === null) return;
      const entry = parseEntry(name, value, contexts, sink.isLogged);
      if (!sink.isLogged) refuseReserved(entry.inputs);
      if (entry.inputs.some((input) => BLANK.test(input))) sink.ignore(name);
      const inputs = sink.kept(layout, (): Inputs => {
        const all: Inputs = new Map();
        sink.later(() => addInputs(name, all, contexts, field, sink));
        return all;
      });
      collect(entry, typeof value === 'string', inputs);
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

/**
 * `completion`: inputs with weights for the completion suggester, as terms `analysed ␟ weight ␟ input [␟ contexts]`.
 */
export const completion: FieldTypeDefinition = {
  name: 'completion',
  refuseItem,
  capabilities: withCapabilities({ completes: true }),
  parameters: [
    { ...parameter('analyzer', 'simple', parseAnalyzer), isAlwaysShown: true },
    parameter('search_analyzer', null, parseAnalyzer, { updates: true }),
    booleanParameter('preserve_separators', true, { isAlwaysShown: true }),
    booleanParameter('preserve_position_increments', true, { isAlwaysShown: true }),
    integerParameter('max_input_length', 50, { isAlwaysShown: true, updates: true }),
    parameter('contexts', null, parseContextMappings, { acceptsNull: true, isHiddenByDefault: true }),
    meta,
  ],
  create,
  faultStyle: 'cause',
};
