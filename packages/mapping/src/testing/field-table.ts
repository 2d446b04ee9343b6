import assert from 'node:assert/strict';
import { buildAnalysisRegistry } from '@shoal/analysis';
import { type ApiError, isApiError } from '@shoal/errors';
import type { FieldEntry, FieldLayout } from '@shoal/segments';
import { parseDocument } from '../document/parse-document.js';
import type { FieldType, RangeBounds, ValueQuery } from '../field-type.js';
import type { ReadQuery } from '../mapping-api.js';
import { parseMapping } from '../parse-mapping.js';
import { mappingOptions } from '../settings.js';

/** Time of `now` in tables: 2024-01-15T12:00:00Z. */
export const FIELD_TABLE_NOW_MS = Date.UTC(2024, 0, 15, 12);

/**
 * What a document indexes: values by field; tokens and terms as texts, weights with their frequencies behind, points
 * as alternating latitudes and longitudes.
 */
export type IndexedValues = Readonly<Record<string, readonly unknown[]>>;

type ColumnValue = number | bigint | string;

/** What documents of a table have besides their value. */
export interface FieldTableOptions {
  /** Routing value; none by default. */
  readonly routing?: string;
  /** Reads the queries that documents store. */
  readonly readQuery?: ReadQuery;
  /** Whether documents were accepted before. */
  readonly isLogged?: boolean;
}

/** Table tests of one field definition; each method checks all rows. */
export interface FieldTable {
  readonly type: FieldType;
  /** Expects this layout of terms, column and points in segments. */
  keeps(layout: Omit<FieldLayout, 'name'> | null): void;
  /** JSON values of documents, and what is indexed for each. */
  indexes(table: readonly (readonly [value: unknown, indexed: IndexedValues])[]): void;
  /** JSON values that are refused, and the cause in the error: `type: reason`. */
  refuses(table: readonly (readonly [value: unknown, error: string])[]): void;
  /** Values of `term` queries, and the resulting query; a string is the expected error. */
  terms(table: readonly (readonly [value: unknown, query: ValueQuery | string])[]): void;
  /** Bounds of `range` queries, and the resulting query; a string is the expected error. */
  ranges(table: readonly (readonly [bounds: RangeBounds, query: ValueQuery | string])[]): void;
  /** Column values, `format`, `time_zone`, and the expected text. */
  shows(
    table: readonly (readonly [value: ColumnValue, format: string | null, zone: string | null, text: string])[],
  ): void;
}

const options = mappingOptions({}, buildAnalysisRegistry({}));
const context = { now: () => FIELD_TABLE_NOW_MS };

/**
 * Table tests of the field `f` with this definition:
 *
 * const field = fieldTable({ type: 'ip' });
 * test('ip indexes addresses', () => field.indexes([['10.0.0.1', { f: ['…'] }]]));
 */
export function fieldTable(
  definition: Readonly<Record<string, unknown>>,
  { routing, readQuery, isLogged = false }: FieldTableOptions = {},
): FieldTable {
  const mapping = parseMapping({ properties: { f: definition } }, options);
  const type = mapping.field('f')!;
  const index = (value: unknown): IndexedValues => {
    const source = new TextEncoder().encode(JSON.stringify({ f: value }));
    const { parts } = parseDocument(
      mapping,
      source,
      { id: '1', routing: routing ?? null, nowMs: FIELD_TABLE_NOW_MS, isLogged, ...(readQuery ? { readQuery } : {}) },
      options,
    );
    return Object.fromEntries(parts.at(-1)!.entries.map((entry) => [entry.layout.name, valuesOf(entry)]));
  };
  return {
    type,
    keeps: (layout) => {
      const { name: _, ...kept } = type.layout ?? { name: '' };
      assert.deepEqual(type.layout === null ? null : kept, layout);
    },
    indexes: (table) => each(table, index),
    refuses: (table) => each(table, index, causeOf),
    terms: (table) => each(table, (value) => type.termQuery(value, context)),
    ranges: (table) => each(table, (bounds) => type.rangeQuery(bounds, context)),
    shows: (table) => {
      for (const [value, format, zone, text] of table)
        assert.equal(type.format(format, zone).toText(value), text, `${String(value)} as ${format}`);
    },
  };
}

/** Checks a table of definitions that are refused, and the cause in each error: `type: reason`. */
export function refusesDefinitions(
  table: readonly (readonly [definition: Readonly<Record<string, unknown>>, error: string])[],
): void {
  each(table, (definition) => parseMapping({ properties: { f: definition } }, options).toJson(), causeOf);
}

function each<T>(
  table: readonly (readonly [input: T, outcome: unknown])[],
  run: (input: T) => unknown,
  textOf: (error: ApiError) => string = errorText,
): void {
  for (const [input, outcome] of table) {
    let found: unknown;
    try {
      found = run(input);
    } catch (error) {
      if (!isApiError(error)) throw error;
      found = textOf(error);
    }
    assert.deepEqual(found, outcome, `value ${JSON.stringify(input)}`);
  }
}

/** An error as text, without the excerpt of the source at the end of parse errors. */
const errorText = (error: ApiError): string => `${error.type}: ${error.reason?.split('\n')[0] ?? ''}`;

const causeOf = (error: ApiError): string => errorText(error.causedBy ?? error);

function valuesOf(entry: FieldEntry): readonly unknown[] {
  if (entry.kind === 'tokens' || entry.kind === 'terms') return [...entry.terms];
  if (entry.kind === 'weights') return entry.terms.map((term, i) => `${term} ${entry.values[i]}`);
  return entry.kind === 'binary' ? [Buffer.from(entry.value).toString('hex')] : [...entry.values];
}
