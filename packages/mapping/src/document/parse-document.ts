import { type ApiError, errors, isApiError } from '@shoal/errors';
import type { FieldType } from '../field-type.js';
import { hashOrder } from '@shoal/values';
import { extractValues, isPlainObject, parseSource, type Json } from '@shoal/json';
import { asCompiled, type CompiledMapping, type FieldSlot, type ObjectSlot, type Slot } from '../compile.js';
import type { DocumentContext, Mapping, MappingOptions, ParsedDocument, ParsedPart } from '../mapping-api.js';
import { METADATA_FIELDS } from '../tree/node.js';
import { completeFault, leafFault, LocatedFault, metadataFault, structureFault } from './document-errors.js';
import { addUnknown, tooDeep } from './unknown-fields.js';
import { addLeaf, type MappingUpdate, newMappingUpdate, updateJson } from './mapping-update.js';
import type { ParseState } from './parse-state.js';
import { IGNORED_LAYOUT, PartSink, ROUTING_LAYOUT } from './part-sink.js';
import { seriesOf } from '../time-series/dimensions.js';
import { SERIES_LAYOUT } from '../time-series/series-field.js';
import { type SourceNumbers, sourceNumbers } from './source-numbers.js';

/** `_doc_count`: number of documents that this document stands for in buckets. */
const DOC_COUNT_LAYOUT = { name: '_doc_count', terms: null, column: 'long', points: false } as const;

const NONE: readonly never[] = [];
/** Levels of a dotted name. */
const LEVELS_MAX = 1_000;

/** Parse state of one document. Methods in place of closures, because one is created for each document. */
class DocumentState implements ParseState {
  readonly mapping: CompiledMapping;
  readonly options: MappingOptions;
  readonly context: DocumentContext;
  readonly source: Uint8Array;
  readonly root: Json;
  parts: ParsedPart[] | null = null;
  ignored: Set<string> | null = null;
  readonly sinks: PartSink[];
  sink: PartSink;
  container: object;
  key: string | number = '';
  nestedCount = 0;
  update: MappingUpdate | null = null;
  conflict: ApiError | null = null;
  numbers: SourceNumbers | null = null;

  constructor(
    mapping: CompiledMapping,
    source: Uint8Array,
    root: Json,
    context: DocumentContext,
    options: MappingOptions,
    sink: PartSink | null,
  ) {
    this.mapping = mapping;
    this.options = options;
    this.context = context;
    this.source = source;
    this.root = root;
    this.container = root;
    if (sink) sink.begin(context.id, this);
    this.sink = sink ?? new PartSink(context.id, null, this);
    this.sinks = [this.sink];
  }

  get routing(): string | null {
    return this.context.routing ?? null;
  }

  get isLogged(): boolean {
    return this.context.isLogged === true;
  }

  numberText(value: number): string {
    this.numbers ??= sourceNumbers(this.source, this.root);
    return this.numbers.textAt(this.container, this.key, value);
  }

  propose(path: string, json: Readonly<Json>): void {
    const { parents, name } = findTarget(this.mapping.root, path);
    this.update ??= newMappingUpdate();
    addLeaf(this.update, parents, name, json);
  }

  valuesAt(path: string): readonly unknown[] {
    return extractValues(this.root, path);
  }

  readQuery(query: unknown): readonly string[] {
    return this.context.readQuery?.(query, this.mapping) ?? [];
  }

  ignore(field: string): void {
    (this.ignored ??= new Set()).add(field);
  }

  parseField(state: ParseState, slot: FieldSlot, container: object, key: string | number, value: unknown): void {
    parseField(state, slot, container, key, value);
  }

  parseObject(state: ParseState, object: ObjectSlot, json: Json, parents: readonly ObjectSlot[]): void {
    parseObject(state, object, json, parents);
  }
}

/**
 * Memory reused for one document after the other. What `parseDocument` returns with it is valid until the next call
 * with it.
 */
export interface DocumentScratch {
  root: PartSink | null;
}

/** Creates a scratch for a caller that indexes each document's entries before it parses the next. */
export const createDocumentScratch = (): DocumentScratch => ({ root: null });

/**
 * Parses the source of a document into the entries that segments index. Throws document_parsing, strict_dynamic_mapping
 * and similar errors, with line and column; then nothing of the document is indexed.
 */
export function parseDocument(
  mapping: Mapping,
  source: Uint8Array,
  context: DocumentContext,
  options: MappingOptions,
  scratch: DocumentScratch | null = null,
): ParsedDocument {
  const root = context.json ?? parseSource(source);
  const state = new DocumentState(asCompiled(mapping), source, root, context, options, scratch && scratch.root);
  if (scratch) scratch.root = state.sink;
  try {
    parseObject(state, state.mapping.root, root, [state.mapping.root]);
    if (state.conflict !== null && !state.isLogged) throw state.conflict;
    return finish(state);
  } catch (error) {
    throw error instanceof LocatedFault ? completeFault(error, source, root) : error;
  }
}

function runDeferred(state: ParseState, sink: PartSink): void {
  try {
    sink.runDeferred();
  } catch (fault) {
    if (!(state.context.isLogged && (fault instanceof LocatedFault || isApiError(fault)))) throw fault;
  }
}

/** Runs what fields have deferred until all fields of the document are known, and closes the part. */
function finishPart(state: ParseState, sink: PartSink): ParsedPart {
  if (state.update === null) runDeferred(state, sink);
  return sink.finish();
}

/** Adds the `_tsid` of a document of an index of time series. */
function addSeries(state: ParseState, dimensions: readonly FieldType[], sink: PartSink): void {
  try {
    sink.addTerm(
      SERIES_LAYOUT,
      seriesOf(dimensions, (field) => sink.valuesOf(field)),
    );
  } catch (fault) {
    if (!isApiError(fault)) throw fault;
    if (state.context.isLogged) return;
    throw faultOfWhole(state, fault);
  }
}

/** Refuses a document of a data stream that has not exactly one `@timestamp`. */
function checkTimestamp(state: ParseState, sink: PartSink): void {
  const { length } = sink.valuesOf('@timestamp');
  if (length === 1 || state.context.isLogged) return;
  const what = length === 0 ? 'is missing' : 'encountered multiple values';
  throw faultOfWhole(state, errors.illegalArgument(`data stream timestamp field [@timestamp] ${what}`));
}

/** Makes the error of what is wrong with a document as a whole, at its end. */
function faultOfWhole({ root }: ParseState, cause: ApiError): LocatedFault {
  return new LocatedFault({ container: root, at: 'end' }, ({ line, column }) =>
    errors.documentParsing(`[${line}:${column}] failed to parse: ${cause.reason ?? ''}`, { cause }),
  );
}

function finish(state: ParseState): ParsedDocument {
  const { sink, ignored } = state;
  const { routing } = state.context;
  if (routing !== undefined && routing !== null) sink.addTerm(ROUTING_LAYOUT, routing);
  for (const field of state.mapping.constantFields) field.addConstant?.(sink);
  if (ignored !== null) {
    sink.mayRepeat = true;
    for (const name of ignored) sink.addTerm(IGNORED_LAYOUT, name);
  }
  if (state.mapping.dimensions !== null && state.update === null) addSeries(state, state.mapping.dimensions, sink);
  if (state.mapping.needsTimestamp && state.update === null) checkTimestamp(state, sink);
  const root = finishPart(state, sink);
  const parts = state.parts === null ? [root] : [...state.parts, root];
  // Deferred work may have ignored further values.
  return {
    parts,
    ignored: state.ignored === null ? NONE : hashOrder(state.ignored),
    dynamicUpdate: state.update === null ? null : updateJson(state.update),
  };
}

/** Parses the entries of an object of the source. `parents` is the path of objects from the root to this one. */
function parseObject(state: ParseState, object: ObjectSlot, json: Json, parents: readonly ObjectSlot[]): void {
  if (!object.enabled) return;
  const { slots } = object;
  const isLogged = state.context.isLogged === true;
  // `for in` creates no array of keys. Objects parsed from JSON inherit no enumerable key.
  for (const key in json) {
    const slot = slots.get(key);
    if (isLogged) parseLogged(state, object, slot, json, key, parents);
    else if (slot === undefined) parseOther(state, object, json, key, parents);
    else parseSlot(state, slot, json, key, json[key], parents);
  }
}

/**
 * Parses an entry of a document that was accepted before (`isLogged`); a value that the present mapping refuses is left
 * out.
 */
function parseLogged(
  state: ParseState,
  object: ObjectSlot,
  slot: Slot | undefined,
  json: Json,
  key: string,
  parents: readonly ObjectSlot[],
): void {
  const { sink } = state;
  const open = state.sinks.length;
  try {
    if (slot === undefined) parseOther(state, object, json, key, parents);
    else parseSlot(state, slot, json, key, json[key], parents);
  } catch (fault) {
    if (!(fault instanceof LocatedFault || isApiError(fault))) throw fault;
    state.sinks.length = open;
    state.sink = sink;
  }
}

/** Parses a value for a child that the mapping has. */
function parseSlot(
  state: ParseState,
  slot: Slot,
  container: object,
  key: string | number,
  value: unknown,
  parents: readonly ObjectSlot[],
): void {
  if (slot.kind === 'field') parseField(state, slot, container, key, value);
  else if (slot.kind === 'object') parseInto(state, slot, container, key, value, parents);
  else throw structureFault(container, key, `Cannot write to a field alias [${slot.path}].`);
}

function parseField(state: ParseState, slot: FieldSlot, container: object, key: string | number, value: unknown): void {
  if (Array.isArray(value) && !slot.takesArrays) {
    state.sink.mayRepeat = true;
    // A type that reads lists itself takes an empty one for a value.
    if (value.length === 0 && slot.refuseItem !== null) state.sink.markPresent(slot.field.name);
    for (let i = 0; i < value.length; i++) {
      if (slot.refuseItem !== null) checkItem(state, slot, value, i);
      parseField(state, slot, value, i, value[i]);
    }
    return;
  }
  state.container = container;
  state.key = key;
  const { sink } = state;
  const { all } = slot;
  for (let i = 0; i < all.length; i++) {
    const field = all[i]!;
    try {
      field.parse(value, sink);
    } catch (fault) {
      throw leafFault(slot.faultStyle, field.name, field.typeName, sink.id, container, key, value, fault);
    }
  }
  if (slot.copyTo.length > 0 && value !== null) copyValue(state, slot.copyTo, container, key, value);
}

function checkItem(state: ParseState, slot: FieldSlot, items: readonly unknown[], i: number): void {
  try {
    slot.refuseItem!(items[i]);
  } catch (fault) {
    const { name, typeName } = slot.field;
    // The error is at the beginning of an inner array, not at its end.
    const shown = Array.isArray(items[i]) ? null : items[i];
    throw leafFault(slot.faultStyle, name, typeName, state.sink.id, items, i, shown, fault);
  }
}

/** `copy_to`: parses the value for other fields too, in the part (root or nested object) to which they belong. */
function copyValue(
  state: ParseState,
  targets: readonly string[],
  container: object,
  key: string | number,
  value: unknown,
): void {
  const { sink } = state;
  for (const target of targets) {
    const { slot, parents, name, nestedPath } = findTarget(state.mapping.root, target);
    const into = state.sinks.findLast((open) => open.nestedPath === nestedPath) ?? state.sinks[0]!;
    into.mayRepeat = true;
    state.sink = into;
    if (slot?.kind === 'field') parseField(state, { ...slot, copyTo: [] }, container, key, value);
    else if (slot === undefined) addUnknown(state, parents, name, container, key, value);
    state.sink = sink;
  }
}

interface CopyTarget {
  readonly slot: Slot | undefined;
  readonly parents: readonly ObjectSlot[];
  readonly name: string;
  readonly nestedPath: string | null;
}

/** Resolves a path to the field or object that the mapping has, or to the innermost object and the remaining name. */
function findTarget(root: ObjectSlot, path: string): CopyTarget {
  const parents: ObjectSlot[] = [root];
  let object = root;
  let rest = path;
  for (;;) {
    const whole = object.slots.get(rest);
    if (whole) return { slot: whole, parents, name: rest, nestedPath: object.nestedPath };
    const dot = rest.indexOf('.');
    const next = dot < 0 ? undefined : object.slots.get(rest.slice(0, dot));
    if (next?.kind !== 'object') return { slot: undefined, parents, name: rest, nestedPath: object.nestedPath };
    object = next;
    parents.push(next);
    rest = rest.slice(dot + 1);
  }
}

/** Parses a value for an object of the mapping: an object, or an array of them. */
function parseInto(
  state: ParseState,
  object: ObjectSlot,
  container: object,
  key: string | number,
  value: unknown,
  parents: readonly ObjectSlot[],
): void {
  if (value === null || !object.enabled) return;
  if (Array.isArray(value)) {
    state.sink.mayRepeat = true;
    for (let i = 0; i < value.length; i++) parseInto(state, object, value, i, value[i], parents);
    return;
  }
  if (!isPlainObject(value)) {
    const shown = typeof key === 'number' ? 'null' : key;
    throw structureFault(
      container,
      key,
      `object mapping for [${object.path}] tried to parse field [${shown}] as object, but found a concrete value`,
    );
  }
  if (object.isNested) parseNested(state, object, container, key, value, [...parents, object]);
  else parseObject(state, object, value, [...parents, object]);
}

function countNested(state: ParseState, container: object, key: string | number): void {
  const limit = state.options.nestedObjectsLimit;
  if (++state.nestedCount <= limit || state.context.isLogged) return;
  throw structureFault(
    container,
    key,
    `The number of nested documents has exceeded the allowed limit of [${limit}]. This limit can be set by ` +
      'changing the [index.mapping.nested_objects.limit] index level setting.',
  );
}

function parseNested(
  state: ParseState,
  object: ObjectSlot,
  container: object,
  key: string | number,
  json: Json,
  parents: readonly ObjectSlot[],
): void {
  countNested(state, container, key);
  const outer = state.sink;
  const sink = new PartSink(state.context.id, object.path, state);
  state.sinks.push(sink);
  state.sink = sink;
  parseObject(state, object, json, parents);
  state.sinks.pop();
  state.sink = outer;
  const root = state.sinks[0]!;
  if (object.includeInParent) outer.absorb(sink);
  if (object.includeInRoot && !(object.includeInParent && outer === root)) root.absorb(sink);
  (state.parts ??= []).push(finishPart(state, sink));
}

function parseDocCount(state: ParseState, json: Json): void {
  const value = json['_doc_count'];
  if (typeof value === 'number' && Number.isInteger(value) && value > 0) {
    state.sink.addNumber(DOC_COUNT_LAYOUT, value);
    return;
  }
  const reason =
    typeof value === 'number' && !Number.isInteger(value)
      ? `${value} cannot be converted to Integer without data loss`
      : `Field [_doc_count] must be a positive integer. Value [${String(value)}] is not allowed.`;
  throw metadataFault(json, '_doc_count', state.context.id, () => errors.illegalArgument(reason));
}

function refuseMetadata(state: ParseState, json: Json, key: string): never {
  const reason =
    `Field [${key}] is a metadata field and cannot be added inside a document. Use the index API request ` +
    'parameters.';
  throw metadataFault(json, key, state.context.id, (prefix) => errors.documentParsing(`${prefix} ${reason}`));
}

function checkKey(json: Json, key: string, parts: readonly string[]): void {
  const fault = (reason: string): never => {
    throw structureFault(
      json,
      key,
      `failed to parse: ${reason}`,
      'documentParsing',
      errors.illegalArgument(reason),
      'key',
    );
  };
  if (key === '') fault('field name cannot be an empty string');
  if (key.trim() === '')
    throw structureFault(
      json,
      key,
      `Field name cannot contain only whitespace: [${key}]`,
      'documentParsing',
      undefined,
      'key',
    );
  if (/^\.+$/.test(key)) fault('field name cannot contain only dots');
  for (const part of parts) {
    if (part === '' || part.trim() === '') fault(`field name cannot contain only whitespace: ['${key}']`);
  }
}

/** Parses a key that is not a child of the object: a metadata field, a dotted path, or an unknown field. */
function parseOther(
  state: ParseState,
  object: ObjectSlot,
  json: Json,
  key: string,
  parents: readonly ObjectSlot[],
): void {
  if (object.path === '' && METADATA_FIELDS.has(key)) {
    if (key !== '_doc_count') refuseMetadata(state, json, key);
    parseDocCount(state, json);
    return;
  }
  const parts = object.subobjects ? key.split('.') : [key];
  while (parts.length > 1 && parts.at(-1) === '') parts.pop();
  // Each level is a call within the one before.
  if (parts.length > LEVELS_MAX) throw tooDeep(state, key, json, key);
  checkKey(json, key, parts);
  if (parts.length > 1 || parts[0] !== key) parseDotted(state, json, key, parts, parents);
  else if (!object.subobjects && isPlainObject(json[key])) flatten(state, object, json, key, json[key], parents);
  else addUnknown(state, parents, key, json, key, json[key]);
}

/**
 * Parses a key `a.b.c`: descends into the objects that the mapping has, then parses the rest as if it were nested
 * objects.
 */
function parseDotted(
  state: ParseState,
  json: Json,
  key: string,
  parts: readonly string[],
  parents: readonly ObjectSlot[],
): void {
  state.sink.mayRepeat = true;
  const path = [...parents];
  let object = path.at(-1)!;
  for (let i = 0; i < parts.length; i++) {
    const rest = parts.slice(i).join('.');
    const name = object.subobjects ? parts[i]! : rest;
    const slot = object.slots.get(name);
    const isLast = i === parts.length - 1 || !object.subobjects;
    if (slot === undefined) {
      addUnknown(state, path, rest, json, key, json[key]);
      return;
    }
    if (isLast) {
      parseSlot(state, slot, json, key, json[key], path);
      return;
    }
    if (slot.kind !== 'object') {
      parseSlot(state, slot, json, key, innerObject(parts.slice(i + 1), json[key]), path);
      return;
    }
    if (!slot.enabled) return;
    if (slot.isNested) {
      parseNested(state, slot, json, key, innerObject([parts.slice(i + 1).join('.')], json[key]), [...path, slot]);
      return;
    }
    path.push(slot);
    object = slot;
  }
}

/** The nested objects that a dotted key abbreviates. */
function innerObject(names: readonly string[], value: unknown): Json {
  const [first = '', ...rest] = names;
  return Object.fromEntries([[first, rest.length === 0 ? value : innerObject(rest, value)]]);
}

/** Parses objects below an object with `subobjects: false`, whose leaves have dotted names. */
function flatten(
  state: ParseState,
  object: ObjectSlot,
  json: Json,
  key: string,
  value: Json,
  parents: readonly ObjectSlot[],
): void {
  const slot = object.slots.get(key);
  if (slot) {
    parseSlot(state, slot, json, key, value, parents);
    return;
  }
  const flat = Object.fromEntries(Object.entries(value).map(([name, inner]) => [`${key}.${name}`, inner]));
  parseObject(state, object, flat, parents);
}
