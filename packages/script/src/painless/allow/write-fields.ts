import type { DocumentMetadata } from '../../runtime/document-metadata.js';
import { type Fn } from '../../runtime/collections.js';
import type { Value } from '../../runtime/values.js';
import type { NestedDocument, WriteField } from '../../runtime/write-field.js';
import type { AllowTable, ClassRow } from './class-row.js';
import { Cursor } from './collections.js';

const METADATA = 'org.elasticsearch.script.Metadata';
const NESTED = 'org.elasticsearch.script.field.NestedDocument';

const FIELDS: AllowTable = [
  {
    name: 'org.elasticsearch.script.field.WriteField',
    parents: ['java.lang.Iterable'],
    methods: {
      'String getName()': (field: WriteField) => field.path,
      'boolean exists()': (field: WriteField) => field.exists(),
      'boolean isEmpty()': (field: WriteField) => field.values().length === 0,
      'int size()': (field: WriteField) => field.values().length,
      'def get(def)': (field: WriteField, fallback: Value) => field.get(fallback),
      'def get(int,def)': (field: WriteField, index: number, fallback: Value) => field.at(index, fallback),
      'Iterator iterator()': (field: WriteField) => new Cursor(field.collection()),
      'WriteField set(def)': (field: WriteField, value: Value) => field.set(value),
      'WriteField append(def)': (field: WriteField, value: Value) => field.append(value),
      'WriteField move(def)': (field: WriteField, to: Value) => field.move(to),
      'WriteField overwrite(def)': (field: WriteField, to: Value) => field.overwrite(to),
      'void remove()': (field: WriteField) => field.remove(),
      'boolean hasValue(Predicate)': (field: WriteField, test: Fn) => field.hasValue(test),
      'WriteField transform(Function)': (field: WriteField, of: Fn) => field.transform(of),
      'WriteField deduplicate()': (field: WriteField) => field.deduplicate(),
      'WriteField removeValuesIf(Predicate)': (field: WriteField, test: Fn) => field.removeValuesIf(test),
      'WriteField removeValue(int)': (field: WriteField, index: number) => field.removeValue(index),
      [`${NESTED} doc()`]: (field: WriteField) => field.document(null),
      [`${NESTED} doc(int)`]: (field: WriteField, index: number) => field.document(index),
      'Iterable docs()': (field: WriteField) => field.documents(),
    },
  },
  {
    name: NESTED,
    methods: {
      'WriteField field(String)': (document: NestedDocument, path: string) => document.field(path),
      'Stream fields(String)': (document: NestedDocument) => document.fields(),
      'boolean isEmpty()': (document: NestedDocument) => document.size === 0,
      'int size()': (document: NestedDocument) => document.size,
      'boolean exists()': (document: NestedDocument) => document.exists(),
      'void remove()': (document: NestedDocument) => document.remove(),
    },
  },
];

const getters = (...names: readonly (readonly [name: string, key: string])[]): ClassRow['methods'] =>
  Object.fromEntries(
    names.map(([name, key]) => [`String get${name}()`, (metadata: DocumentMetadata) => metadata.text(key)]),
  );

const setters = (...names: readonly (readonly [name: string, key: string])[]): ClassRow['methods'] =>
  Object.fromEntries(
    names.map(([name, key]) => [
      `void set${name}(String)`,
      (metadata: DocumentMetadata, value: string | null) => metadata.set(key, value),
    ]),
  );

const NAMES = [
  ['Index', '_index'],
  ['Id', '_id'],
  ['Routing', '_routing'],
] as const;
const VERSION_TYPE = ['VersionType', '_version_type'] as const;

const version: ClassRow['methods'] = { 'long getVersion()': (metadata: DocumentMetadata) => metadata.version() };
const newVersion: ClassRow['methods'] = {
  'void setVersion(long)': (metadata: DocumentMetadata, value: Value) => metadata.set('_version', value),
};
const now: ClassRow['methods'] = { 'ZonedDateTime getNow()': (metadata: DocumentMetadata) => metadata.now() };

const operation: ClassRow['methods'] = {
  'String getOp()': (metadata: DocumentMetadata) => metadata.operation,
  'void setOp(String)': (metadata: DocumentMetadata, op: string | null) => metadata.setOperation(op),
};

const table = (...methods: readonly ClassRow['methods'][]): AllowTable => [
  ...FIELDS,
  { name: METADATA, methods: Object.assign({}, ...methods) },
];

const UPDATED = [getters(...NAMES), version, now];

/** Fields and metadata of documents, for scripts of updates. */
export const UPDATED_DOCUMENT = table(...UPDATED, operation);

/** Of those of `_update_by_query`. */
export const FOUND_DOCUMENT = table(...UPDATED, operation);

/** Of those of `_reindex`, which may send a document elsewhere. */
export const REINDEXED_DOCUMENT = table(getters(...NAMES), setters(...NAMES), newVersion, operation, {
  'long getVersion()': (metadata: DocumentMetadata) => metadata.reindexedVersion(),
  'boolean isVersionInternal()': (metadata: DocumentMetadata) => metadata.isVersionInternal,
  'void setVersionToInternal()': (metadata: DocumentMetadata) => metadata.set('_version', null),
});

/** Of those of pipelines. */
export const INGESTED_DOCUMENT = table(
  getters(...NAMES, VERSION_TYPE),
  setters(...NAMES, VERSION_TYPE),
  version,
  newVersion,
  now,
);
