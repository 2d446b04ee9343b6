import type { FieldCapabilities } from './field-capabilities.js';
import type { Analyzer } from '@shoal/analysis';
import type { FieldLayout } from '@shoal/segments';
import type { JoinRelations } from './types/join-relations.js';

/**
 * Receives the values of a document's fields; values of one field are collected in one entry. Nothing is indexed before
 * the whole document is parsed, so that an invalid document leaves no trace.
 */
export interface DocumentSink {
  /**
   * Analyses a text and adds its tokens. A further text of the field starts after the analyzer's position gap. Tokens
   * at the position of another add to the length of the field only if `countsOverlaps`.
   */
  addText(layout: FieldLayout, analyzer: Analyzer, text: string, countsOverlaps?: boolean): void;
  addTerm(layout: FieldLayout, term: string): void;
  /** Adds a term with its frequency. Returns false, and adds nothing, if the document has the term already. */
  addWeight(layout: FieldLayout, term: string, freq: number): boolean;
  addNumber(layout: FieldLayout, value: number | bigint): void;
  /** Latitude and longitude in degrees. */
  addPoint(layout: FieldLayout, lat: number, lon: number): void;
  addBinary(layout: FieldLayout, value: Uint8Array): void;
  /** Whether the document, or the nested object that is parsed, has a value for the field already. */
  hasValue(layout: FieldLayout): boolean;
  /** Adds a byte string behind those that the document has for the field. */
  appendBinary(layout: FieldLayout, value: Uint8Array): void;
  /** Adds the field to the document's `_field_names`, for `exists` queries. */
  markPresent(field: string): void;
  /** Adds the field to the document's `_ignored`. */
  ignore(field: string): void;
  /**
   * Requests a new definition of an existing field, which the first document determines (vector dimensions, a
   * constant).
   */
  proposeField(path: string, json: Readonly<Record<string, unknown>>): void;
  /** Text of a scalar as written in the source (`1.0` stays `1.0`). Throws for objects and arrays. */
  textOf(value: unknown): string;
  /** Calls `run` once the whole document is parsed, for values that depend on other fields. */
  later(run: () => void): void;
  /** What a field keeps until the document is parsed; `make` makes it at the first value. */
  kept<Value>(layout: FieldLayout, make: () => Value): Value;
  /** Values that the document has so far for a field: terms, numbers, or alternating latitudes and longitudes. */
  valuesOf(field: string): readonly unknown[];
  /** Set by types that add to several layouts in turn for one value. */
  mayRepeat: boolean;
  /**
   * Returns the terms of which a document must have one to match a stored query. Throws for what is no query, or none
   * that the mapping allows to store.
   */
  readQuery(query: unknown): readonly string[];
  /** Whether the document was accepted before, perhaps by an earlier build that took more than this one. */
  readonly isLogged: boolean;
  /** Document id, for messages. */
  readonly id: string | null;
  /** Routing value of the document. */
  readonly routing: string | null;
}

/** Bounds of a range query, as in the request. */
export interface RangeBounds {
  readonly gt?: unknown;
  readonly gte?: unknown;
  readonly lt?: unknown;
  readonly lte?: unknown;
  readonly format?: string;
  readonly timeZone?: string;
  readonly relation?: string;
}

/** A range or an exact value on a field, as a primitive query. Numeric bounds are inclusive. */
export type ValueQuery =
  /** No value. `reversed` is a range whose ends are given in the wrong order. */
  | { readonly kind: 'none'; readonly reason?: string; readonly reversed?: ValueQuery }
  | { readonly kind: 'term'; readonly term: string }
  | { readonly kind: 'number'; readonly low: number; readonly high: number }
  | { readonly kind: 'bigNumber'; readonly low: bigint; readonly high: bigint }
  /** Nanoseconds since 1970, in fields whose column has milliseconds: `exact` is the column of nanoseconds. */
  | { readonly kind: 'nanos'; readonly low: bigint; readonly high: bigint; readonly exact: string }
  /**
   * All terms for which `matches` returns true, found by a scan of the term dictionary; for fields whose terms are
   * ranges. `text` describes the query.
   */
  | {
      readonly kind: 'dictionary';
      readonly matches: (term: string) => boolean;
      readonly text: string;
      /** What Lucene runs on doc values instead; null without them. */
      readonly docValuesText: string | null;
    }
  | {
      readonly kind: 'terms';
      readonly low: string | null;
      readonly high: string | null;
      readonly includeLow: boolean;
      readonly includeHigh: boolean;
    };

/** Kind of values that queries and aggregations see. `unsigned` are whole numbers up to 2^64 - 1. */
export type ValueKind = 'keyword' | 'long' | 'unsigned' | 'double' | 'date' | 'boolean' | 'ip' | 'geo' | 'none';

/** Formats column values for answers: a date in milliseconds as text, 0/1 as false/true, 16 bytes as an address … */
export interface ValueFormat {
  /** For `sort`, `key`, `docvalue_fields`: the JSON value, a number if the type is numeric. */
  toJson(value: number | bigint | string): unknown;
  /** For `key_as_string`, `value_as_string`. */
  toText(value: number | bigint | string): string;
  /**
   * Reverse of `toText`, for `after`, `search_after`, `missing`, `include`: returns a column value. Throws parse
   * errors.
   */
  parse(value: unknown): number | bigint | string;
  /** Of `date_nanos`: the same for nanoseconds since 1970. */
  readonly nanos?: {
    toText(nanos: bigint): string;
    parse(value: unknown): bigint;
  };
}

/** A script that emits the values of a runtime field. */
export interface RuntimeScript {
  /** Path of the field that has the script; a composite field has it for its sub-fields. */
  readonly field: string;
  /** The place where it runs: `long_field`, `composite_field` … */
  readonly context: string;
  readonly source: string;
  readonly lang: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Whether a document for which the script fails has no values, instead of failing the search. */
  readonly continuesOnError: boolean;
}

/** Where the values of a runtime field come from; segments have none of them. */
export interface RuntimeSource {
  /** Text that is equal for equal definitions only: a part of the keys of what is computed from the values. */
  readonly key: string;
  /** Null for a field whose values are at its path in the source. Sub-fields of a composite field share one. */
  readonly script: RuntimeScript | null;
  /** Of a sub-field of a composite field: its name in the script; else null. */
  readonly emittedAs: string | null;
  /** Set for a field whose values are those of a document of another index. */
  readonly lookup?: LookupSource;
  /** Set for values that the script of an aggregation returns, instead of emitting them. */
  readonly returned?: ReturnedValues;
}

/** Where the values of a `lookup` field are: a document of an index, for each value of a field of the hit. */
export interface LookupSource {
  readonly targetIndex: string;
  /** Field of the hit whose values are looked for. */
  readonly inputField: string;
  /** Field of the target index that must have the value. */
  readonly targetField: string;
  /** What is shown of the document that is found: entries of the option `fields`. */
  readonly fetchFields: readonly Readonly<Record<string, unknown>>[];
}

/** What the script of an aggregation gets besides `doc` and `params`. */
export interface ReturnedValues {
  /** The field whose values it gets one by one as `_value`; null for a script without a field. */
  readonly input: string | null;
  /** Whether it runs on nested documents too. */
  readonly isOfNested: boolean;
  /** Whether it asks for the score of the document. */
  readonly needsScore: boolean;
}

/** A number that a value of `aggregate_metric_double` has. */
export type AggregateMetric = 'min' | 'max' | 'sum' | 'value_count';

/** All metrics, in the order in which they are shown. */
export const AGGREGATE_METRICS: readonly AggregateMetric[] = ['min', 'max', 'sum', 'value_count'];

/** How shapes are kept. */
export interface ShapeField {
  /** Field of the cells that cover the shapes; null if the field is not indexed. */
  readonly cellsField: string | null;
  /** Whether outer rings run counterclockwise. */
  readonly isRight: boolean;
}

/** A leaf field of a mapping: the behaviour of its type with its parameters. Immutable. */
export interface FieldType {
  /** Full path, `user.name.keyword`. */
  readonly name: string;
  /** `text`, `keyword`, `long` … as in the mapping. */
  readonly typeName: string;
  /** What segments store of the field; null for types that store nothing themselves (alias, object). */
  readonly layout: FieldLayout | null;
  readonly valueKind: ValueKind;
  readonly capabilities: FieldCapabilities;
  readonly isSearchable: boolean;
  /** Throws if queries cannot look for values: the field is not indexed, and its column does not stand in. */
  requireSearchable(): void;
  readonly isAggregatable: boolean;
  /** Text fields: analyzers for indexing, searching, phrases. Null for other types. */
  readonly indexAnalyzer: Analyzer | null;
  readonly searchAnalyzer: Analyzer | null;
  readonly searchQuoteAnalyzer: Analyzer | null;
  /** Normalizes the term of a query, for keyword-like fields. */
  normalize(value: string): string;
  /**
   * Parses one JSON value into the sink. The value is never an array, and null only if `null_value` may replace it.
   * Throws the type's error (illegal_argument …); the document parser adds position, field and preview.
   */
  parse(value: unknown, sink: DocumentSink): void;
  /** The query of `term`, and of each value of `terms`. Throws Elasticsearch's error for invalid values. */
  termQuery(value: unknown, context: ValueContext): ValueQuery;
  rangeQuery(bounds: RangeBounds, context: ValueContext): ValueQuery;
  /** How column values are printed; `format` and `timeZone`, if not null, override the field's own. */
  format(format: string | null, timeZone: string | null): ValueFormat;
  /** A value of `_source` as the `fields` option prints it. */
  fetchValue(value: unknown, format: string | null): unknown;
  /** A value of `_source` as `stored_fields` shows it. */
  storedValue(value: unknown): unknown;
  /**
   * Of fields of dense vectors: returns the vector of a query as a row of the field's column, null if no document has
   * determined the dimensions yet. Throws Elasticsearch's error for a vector that cannot be compared.
   */
  queryVector?(values: readonly number[]): Uint8Array | null;
  /** For types whose values are objects with free keys (`flattened`): the field of one key. */
  keyed?(key: string): FieldType | null;
  /**
   * Name of the `flattened` field of which this is one key; undefined for other fields. A key takes no wildcard, regexp
   * and fuzzy queries, and is scored by the counts of all keys.
   */
  readonly keyOf?: string;
  /** Of `date_nanos`, whose column has milliseconds: the column of its nanoseconds, with values in the same order. */
  readonly nanosField?: string;
  /** Of `geo_shape` fields. */
  readonly shapes?: ShapeField;
  /** Whether the values tell time series apart (`time_series_dimension`). */
  readonly isDimension?: boolean;
  /** `time_series_metric`; undefined for other fields. */
  readonly metric?: 'gauge' | 'counter';
  /** Of `flattened` fields: the keys that tell time series apart (`time_series_dimensions`). */
  readonly dimensionKeys?: readonly string[];
  /** Of `aggregate_metric_double` fields: the column of each metric. That of the default metric is the field's own. */
  readonly metricColumns?: ReadonlyMap<AggregateMetric, string>;
  /** Of `join` fields. */
  readonly relations?: JoinRelations;
  /** Set for runtime fields, whose values are computed from a document when a search asks for them. */
  readonly runtime?: RuntimeSource;
  /** For types that give every document a value (`constant_keyword`): adds it. */
  addConstant?(sink: DocumentSink): void;
  /**
   * Parameters in the form of the mapping API, `type` first; without those that have their default unless
   * `includeDefaults`.
   */
  toJson(includeDefaults: boolean): Record<string, unknown>;
}

/** What values of a query may depend on. */
export interface ValueContext {
  /** Returns the time of the request, UTC milliseconds. Called only for a value that says `now`. */
  readonly now: () => number;
}
