import { murmur3 } from '@shoal/codec';
import type { JsonObject } from '@shoal/json';
import {
  type FieldType,
  type Mapping,
  parseRuntimeMappings,
  type RuntimeValues,
  withRuntimeFields,
} from '@shoal/mapping';
import { docsWithNumbers, type SegmentReader } from '@shoal/segments';
import type { RuntimeColumns, RuntimeLayer, RuntimeReader, Searcher, SearcherCache, SegmentView } from '../searcher.js';
import { RuntimeColumnBuilder } from './runtime-columns.js';
import { runtimeDocuments } from './runtime-documents.js';
import { ReturningScripts } from './returned-values.js';
import { RuntimeScripts, searchScript } from './runtime-scripts.js';
import { type ScriptedField, withScriptedFields } from './scripted-fields.js';
import { isRepeatable } from '../scripts/segment-script.js';

/**
 * Returns a searcher whose segments have columns for the runtime fields of its mapping, and for those that a request
 * adds by its `runtime_mappings`. Queries ask for the values of the documents that other clauses leave; sorting and
 * aggregating need a column. A column that `withColumns` has not made is made of all live documents when it is asked
 * for, and kept in the searcher's cache. `scripted` are the values of scripts of aggregations. Throws
 * mapper_parsing_exception for invalid definitions, script_exception for a script that does not compile.
 */
export function withRuntime(
  searcher: Searcher,
  runtimeMappings: JsonObject | null = null,
  scripted: readonly ScriptedField[] = [],
): Searcher {
  const added = runtimeMappings === null ? null : searcher.mapping.runtimeTypes(parseRuntimeMappings(runtimeMappings));
  const joined = added === null ? searcher.mapping : withRuntimeFields(searcher.mapping, added);
  const mapping = withScriptedFields(joined, scripted);
  return mapping.runtime.size === 0 ? searcher : layered(searcher.runtime?.beneath ?? searcher, mapping);
}

const NOTHING: RuntimeValues = [];

function repeats({ runtime }: FieldType): boolean {
  const { script, returned } = runtime!;
  return script === null || (isRepeatable(searchScript(script)) && returned?.needsScore !== true);
}

function layered(beneath: Searcher, mapping: Mapping): Searcher {
  const version = versionOf(mapping.runtime);
  const own = requestCache();
  // Values that another run would not emit again serve this request only.
  const cacheOf = (field: FieldType): SearcherCache => (repeats(field) ? beneath.cache : own);
  const keyOf = (field: FieldType, view: SegmentView): string => `runtime|${view.version}|${field.name}`;
  const read = runtimeDocuments(beneath);
  const scripts = new RuntimeScripts(() => searcher);
  const returning = new ReturningScripts(() => searcher);
  const runtime: RuntimeLayer = {
    beneath,
    values: (field, view, doc, score = 0) => runtime.reader(field, view)(doc, score),
    reader(field, view) {
      const { roots } = view.reader;
      const { script, returned, lookup } = field.runtime!;
      if (lookup !== undefined) return () => NOTHING;
      if (returned !== undefined) {
        const returningScript = returning.of(field, view);
        const isOfAll = roots === null || returned.isOfNested;
        return (doc, score) => (isOfAll || roots.get(doc) ? returningScript.values(doc, score) : NOTHING);
      }
      const valuesOf: RuntimeReader =
        script === null ? (doc) => read(field, view, doc) : (doc) => scripts.values(field, script, view, doc);
      return roots === null ? valuesOf : (doc, score) => (roots.get(doc) ? valuesOf(doc, score) : NOTHING);
    },
    get isUnrepeatable(): boolean {
      return scripts.isUnrepeatable || returning.isUnrepeatable;
    },
    madeColumns: (field, view) => cacheOf(field).find<RuntimeColumns>(keyOf(field, view)) ?? null,
    keepColumns: (field, view, columns) =>
      void cacheOf(field).get(keyOf(field, view), () => ({ value: columns, bytes: columns.bytes })),
  };
  const segments = beneath.segments.map((view): SegmentView => {
    const shown = version === '' ? view : { ...view, version: `${view.version}~${version}` };
    const columns = (field: FieldType): RuntimeColumns =>
      cacheOf(field).get(keyOf(field, shown), () => {
        const value = columnsOfAll(field, shown, runtime);
        return { value, bytes: value.bytes };
      });
    const id = version === '' ? view.reader.id : shown.version;
    return { ...shown, reader: runtimeReader(shown.reader, id, mapping.runtime, columns) };
  });
  const searcher: Searcher = { ...membersOf(beneath), mapping, segments, runtime };
  return searcher;
}

/**
 * Returns a searcher with columns that were made for one request, of some documents only. `made` has them by field and
 * position of the segment. What the request computes of them is kept apart from what other requests see.
 */
export function withOwnColumns(searcher: Searcher, made: ReadonlyMap<string, readonly RuntimeColumns[]>): Searcher {
  const { runtime } = searcher.mapping;
  const segments = searcher.segments.map((view, i): SegmentView => {
    const own = new Map([...made].map(([name]) => [name, runtime.get(name)!]));
    return {
      ...view,
      reader: runtimeReader(view.reader, view.reader.id, own, (field) => made.get(field.name)![i]!),
    };
  });
  return { ...searcher, segments, cache: requestCache() };
}

function requestCache(): SearcherCache {
  const values = new Map<string, unknown>();
  return {
    find: <T>(key: string) => values.get(key) as T | undefined,
    get<T>(key: string, make: () => { readonly value: T }): T {
      if (!values.has(key)) values.set(key, make().value);
      return values.get(key) as T;
    },
  };
}

/** The members of a searcher, which may be an instance of a class. */
function membersOf(searcher: Searcher): Searcher {
  const { index, indexUuid, shard, mapping, analysis, segments, maxDoc, liveDocCount, settings, cache } = searcher;
  return {
    index,
    indexUuid,
    shard,
    mapping,
    analysis,
    segments,
    maxDoc,
    liveDocCount,
    settings,
    cache,
    ...(searcher.hidesDocuments === undefined ? {} : { hidesDocuments: searcher.hidesDocuments }),
    ...(searcher.indexDocuments === undefined ? {} : { indexDocuments: searcher.indexDocuments }),
    stored: (doc) => searcher.stored(doc),
  };
}

/**
 * Returns a text that differs for different runtime fields, which what is computed of a segment depends on; empty if
 * there are none.
 */
function versionOf(runtime: ReadonlyMap<string, FieldType>): string {
  let version = versions.get(runtime);
  if (version === undefined) versions.set(runtime, (version = digestOf(runtime)));
  return version;
}

/** Versions by the runtime fields of a mapping, which every request asks for. */
const versions = new WeakMap<ReadonlyMap<string, FieldType>, string>();

function digestOf(runtime: ReadonlyMap<string, FieldType>): string {
  // The names of scripted fields tell their scripts.
  const named = [...runtime].filter(([, field]) => field.runtime!.returned === undefined);
  if (named.length === 0) return '';
  const text = named.map(([path, field]) => `${path} ${field.runtime!.key}`).join('\n');
  return `${murmur3(text, 1).toString(36)}${murmur3(text, 2).toString(36)}${text.length.toString(36)}`;
}

function columnsOfAll(field: FieldType, view: SegmentView, layer: RuntimeLayer): RuntimeColumns {
  const builder = new RuntimeColumnBuilder(field, layer.reader(field, view));
  for (let doc = 0; doc < view.maxDoc; doc++) if (view.live === null || view.live.get(doc)) builder.read(doc, 0);
  return builder.build();
}

type ColumnsOf = (field: FieldType) => RuntimeColumns;

/**
 * Returns a reader in which the fields of `runtime` have columns only, instead of what the segment has of the name.
 * What is computed of terms is kept by `id`.
 */
function runtimeReader(
  reader: SegmentReader,
  id: string,
  runtime: ReadonlyMap<string, FieldType>,
  columns: ColumnsOf,
): SegmentReader {
  const either = <T>(field: string, own: (type: FieldType) => T, beneath: () => T): T => {
    const type = runtime.get(field);
    return type === undefined ? beneath() : own(type);
  };
  const none = (): null => null;
  return {
    id,
    maxDoc: reader.maxDoc,
    byteSize: reader.byteSize,
    fields: reader.fields,
    roots: reader.roots,
    layout: (field) =>
      either(
        field,
        ({ layout }) => layout,
        () => reader.layout(field),
      ),
    terms: (field) => either(field, none, () => reader.terms(field)),
    ...(reader.notePostings === undefined ? {} : { notePostings: (field, use) => reader.notePostings!(field, use) }),
    norms: (field) => either(field, none, () => reader.norms(field)),
    numbers: (field) =>
      either(
        field,
        (type) => columns(type).numbers,
        () => reader.numbers(field),
      ),
    docsWithNumbers: (field) =>
      either(
        field,
        (type) => columns(type).numbers?.docsWithField ?? 0,
        () => docsWithNumbers(reader, field),
      ),
    ordinals: (field) =>
      either(
        field,
        (type) => columns(type).ordinals,
        () => reader.ordinals(field),
      ),
    geo: (field) =>
      either(
        field,
        (type) => columns(type).geo,
        () => reader.geo(field),
      ),
    binary: (field) => either(field, none, () => reader.binary(field)),
    vectors: (field) => either(field, none, () => reader.vectors(field)),
    points: (field) => either(field, none, () => reader.points(field)),
    geoPoints: (field) => either(field, none, () => reader.geoPoints(field)),
    findId: (id) => reader.findId(id),
    indexedNumbers: (field) => either(field, none, () => reader.indexedNumbers?.(field) ?? null),
  };
}
