import type { FieldCapabilities } from './field-capabilities.js';
import type { Analyzer } from '@shoal/analysis';
import type { FieldLayout } from '@shoal/segments';

/**
 * Where a type's document values go: values of one field are gathered into one entry. Nothing reaches the index before
 * the whole document has been parsed, so that a failing document leaves nothing behind.
 */
export interface DocumentSink {
  /** Analyses a text and adds its tokens; a further text of the field comes after the analyzer's position gap. */
  addText(layout: FieldLayout, analyzer: Analyzer, text: string): void;
  addTerm(layout: FieldLayout, term: string): void;
  addNumber(layout: FieldLayout, value: number | bigint): void;
  /** Degrees. */
  addPoint(layout: FieldLayout, lat: number, lon: number): void;
  addBinary(layout: FieldLayout, value: Uint8Array): void;
  /** Names the field in the document's `_ignored`. */
  ignore(field: string): void;
  /** Asks for a new definition of a field that exists: what the first document settles (dimensions, a constant). */
  proposeField(path: string, json: Readonly<Record<string, unknown>>): void;
  /** The text of a scalar as it stands in the source (`1.0` stays `1.0`). Throws for objects and arrays. */
  textOf(value: unknown): string;
  /** Runs once the whole document has been read: for values that depend on other fields. */
  later(run: () => void): void;
  /** Values of a field that the document has so far: terms, numbers, or latitudes and longitudes in turns. */
  valuesOf(field: string): readonly unknown[];
  /** Set by types that add to several layouts in turns within one value. */
  mayRepeat: boolean;
  /** Id of the document, for messages. */
  readonly id: string | null;
}

/** Bounds of a range query as a client gave them. */
export interface RangeBounds {
  readonly gt?: unknown;
  readonly gte?: unknown;
  readonly lt?: unknown;
  readonly lte?: unknown;
  readonly format?: string;
  readonly timeZone?: string;
  readonly relation?: string;
}

/** How a range or an exact value on a field becomes primitive work. Numeric bounds are inclusive. */
export type ValueQuery =
  | { readonly kind: 'none'; readonly reason?: string }
  | { readonly kind: 'term'; readonly term: string }
  | { readonly kind: 'number'; readonly low: number; readonly high: number }
  | { readonly kind: 'bigNumber'; readonly low: bigint; readonly high: bigint }
  /**
   * All terms that `matches` takes, found by a walk over the dictionary: fields whose terms are ranges. `text`
   * describes it.
   */
  | { readonly kind: 'dictionary'; readonly matches: (term: string) => boolean; readonly text: string }
  | {
      readonly kind: 'terms';
      readonly low: string | null;
      readonly high: string | null;
      readonly includeLow: boolean;
      readonly includeHigh: boolean;
    };

/** What queries and aggregations read a field's values as. `unsigned` are whole numbers up to 2^64 - 1. */
export type ValueKind = 'keyword' | 'long' | 'unsigned' | 'double' | 'date' | 'boolean' | 'ip' | 'geo' | 'none';

/** Formats raw column values for answers: a date's number as text, 0/1 as false/true, 16 bytes as an address … */
export interface ValueFormat {
  /** For `sort`, `key`, `docvalue_fields`: the JSON value, a number where the type is numeric. */
  toJson(value: number | bigint | string): unknown;
  /** For `key_as_string`, `value_as_string`. */
  toText(value: number | bigint | string): string;
  /**
   * Reverse of toText, for `after`, `search_after`, `missing`, `include`: what the column holds. Throws parse errors.
   */
  parse(value: unknown): number | bigint | string;
}

/**
 * A leaf field after parsing its definition: behaviour of its type with its parameters. One object a field, immutable.
 */
export interface FieldType {
  /** Full path, `user.name.keyword`. */
  readonly name: string;
  /** `text`, `keyword`, `long` … as in the mapping. */
  readonly typeName: string;
  /** What segments keep of it; null for types that keep nothing themselves (alias, object). */
  readonly layout: FieldLayout | null;
  readonly valueKind: ValueKind;
  readonly capabilities: FieldCapabilities;
  readonly isSearchable: boolean;
  readonly isAggregatable: boolean;
  /** Text fields: analysers for indexing, searching, phrases. Null elsewhere. */
  readonly indexAnalyzer: Analyzer | null;
  readonly searchAnalyzer: Analyzer | null;
  readonly searchQuoteAnalyzer: Analyzer | null;
  /** Normalizes a term of a keyword-like field in queries. */
  normalize(value: string): string;
  /**
   * Adds one JSON value (never an array: those are taken apart; null only when `null_value` is to be looked at) to the
   * sink. Throws the type's plain error (illegal_argument …); the document parser wraps it with position, field and
   * preview.
   */
  parse(value: unknown, sink: DocumentSink): void;
  /** The work of `term` and of each value of `terms`. Throws for unusable values as Elasticsearch does. */
  termQuery(value: unknown, context: ValueContext): ValueQuery;
  rangeQuery(bounds: RangeBounds, context: ValueContext): ValueQuery;
  /** How raw column values are shown; `format` and `timeZone` override the field's own. */
  format(format: string | null, timeZone: string | null): ValueFormat;
  /** Value of `_source` as the `fields` option shows it. */
  fetchValue(value: unknown, format: string | null): unknown;
  /** For types whose values are objects with keys of their own (`flattened`): the field of one key. */
  keyed?(key: string): FieldType | null;
  /** For types that give every document a value, whatever its source says (`constant_keyword`). */
  addConstant?(sink: DocumentSink): void;
  /** Parameters as the mapping API returns them, `type` first, defaults left out. */
  toJson(includeDefaults: boolean): Record<string, unknown>;
}

export interface ValueContext {
  /** Returns the time of the request, UTC milliseconds. Called only for a value that says `now`. */
  readonly now: () => number;
}
