import { formatDouble } from '@shoal/values';
import { errors } from '@shoal/errors';
import { extractAll, parseSource, setOwn } from '@shoal/json';
import type { FieldType, Mapping, RuntimeValues, ValueFormat } from '@shoal/mapping';
import {
  latDegrees,
  lonDegrees,
  type MultiNumbers,
  type MultiOrdinals,
  quantiseLat,
  quantiseLon,
  type SegmentReader,
} from '@shoal/segments';
import { nanosOf } from '../nanoseconds.js';
import { requireColumn } from '../require-column.js';
import type { Searcher, SegmentView, StoredDocument } from '../searcher.js';
import type { FieldSpec } from './fetch-spec.js';
import { doubleNumber } from '@shoal/json';

interface Wanted {
  readonly name: string;
  readonly type: FieldType;
  readonly format: ValueFormat;
}

/** Reads columns of documents for `docvalue_fields`. */
export interface DocValueFields {
  read(segment: SegmentView, doc: number, document: StoredDocument, into: Record<string, unknown>): void;
}

/** Numeric metadata of every document, which mappings do not list. */
const METADATA_NUMBERS: Readonly<Record<string, (document: StoredDocument) => number>> = {
  _seq_no: ({ seqNo }) => seqNo,
  _version: ({ version }) => version,
  _primary_term: ({ primaryTerm }) => primaryTerm,
};

/**
 * Resolves names and patterns; throws for too many. Fields without columns and formats that do not fit are refused when
 * the first document is read: a search that finds none of the shard succeeds, as in Elasticsearch.
 */
export function docValueFields(specs: readonly FieldSpec[], searcher: Searcher): DocValueFields {
  const types = new Map<string, { readonly type: FieldType; readonly format: string | null }>();
  const metadata = specs.map(({ field }) => field).filter((field) => Object.hasOwn(METADATA_NUMBERS, field));
  for (const { field, format } of specs)
    for (const type of typesOf(field, searcher.mapping))
      types.set(field.includes('*') ? type.name : field, { type, format });
  refuseTooMany(types.size, searcher);
  let wanted: readonly Wanted[] | null = null;
  const open = (): readonly Wanted[] =>
    [...types].map(([name, { type, format }]) => {
      requireColumn(type, searcher);
      return { name, type, format: type.format(format, null) };
    });
  const runtime = (field: Wanted, segment: SegmentView, doc: number): unknown[] =>
    runtimeValues(field, searcher.runtime?.values(field.type, segment, doc) ?? []);
  return {
    read: (segment, doc, document, into) => {
      for (const field of (wanted ??= open())) {
        const values =
          field.type.runtime === undefined
            ? shownValues(field, segment, doc, document, searcher.mapping)
            : runtime(field, segment, doc);
        if (values.length > 0) setOwn(into, field.name, values);
      }
      for (const field of metadata) setOwn(into, field, [METADATA_NUMBERS[field]!(document)]);
    },
  };
}

/** A column of binaries has one value of a document: several are read from the source, sorted, each once. */
function shownValues(
  field: Wanted,
  segment: SegmentView,
  doc: number,
  document: StoredDocument,
  mapping: Mapping,
): unknown[] {
  const values = columnValues(field, segment, doc);
  if (values.length === 0 || field.type.typeName !== 'binary') return values;
  // A nested object is not the whole source.
  if (mapping.nestedParent(field.type.name) !== null) return values;
  const given = extractAll(parseSource(document.raw ?? document.source), [field.type.name]);
  const texts = new Set(given.filter((value) => typeof value === 'string'));
  if (texts.size < 2) return values;
  return [...texts]
    .map((text) => Buffer.from(text, 'base64'))
    .sort(Buffer.compare)
    .map((bytes) => bytes.toString('base64'));
}

function typesOf(pattern: string, mapping: Mapping): readonly FieldType[] {
  if (pattern.includes('*')) return mapping.matching(pattern);
  const type = mapping.field(pattern);
  return type ? [type] : [];
}

function refuseTooMany(count: number, { settings }: Searcher): void {
  const max = settings.maxDocvalueFields;
  if (count <= max) return;
  throw errors.illegalArgument(
    `Trying to retrieve too many docvalue_fields. Must be less than or equal to: [${max}] but was [${count}]. ` +
      'This limit can be set by changing the [index.max_docvalue_fields_search] index level setting.',
  );
}

function columnValues({ type, format }: Wanted, { reader }: SegmentView, doc: number): unknown[] {
  if (!type.isAggregatable) return [];
  return type.nanosField === undefined
    ? valuesOf(type.name, reader, doc).map((value) => columnValue(type, format, value))
    : nanosOf(reader.numbers(type.name), reader.numbers(type.nanosField), doc).map(format.nanos!.toText);
}

/** Returns values of a runtime field as columns of mapped fields print; points in the precision of columns. */
function runtimeValues({ type, format }: Wanted, values: RuntimeValues): unknown[] {
  if (type.valueKind !== 'geo') return values.map((value) => columnValue(type, format, value));
  return Array.from({ length: values.length / 2 }, (_, i) => {
    const lat = latDegrees(quantiseLat(Number(values[2 * i])));
    return pointText(lat, lonDegrees(quantiseLon(Number(values[2 * i + 1]))));
  });
}

/** Returns a value of a column as `docvalue_fields` prints it. */
export function columnValue(type: FieldType, format: ValueFormat, value: number | bigint | string): unknown {
  if (type.valueKind === 'date') return format.toText(value);
  if (type.valueKind === 'boolean' && typeof value === 'number') return value !== 0;
  const json = format.toJson(value);
  return type.valueKind === 'double' && typeof json === 'number' ? doubleNumber(json) : json;
}

function valuesOf(name: string, reader: SegmentReader, doc: number): (number | bigint | string)[] {
  const docs = Int32Array.of(doc);
  const numbers = reader.numbers(name);
  if (numbers)
    return numbers.isExact || numbers.kind === 'double'
      ? readNumbers(docs, (out) => numbers.readAll(docs, 1, out))
      : [...numbers.bigs(doc)];
  const ordinals = reader.ordinals(name);
  if (ordinals) {
    const out: MultiOrdinals = { starts: new Int32Array(2), values: new Int32Array(16) };
    ordinals.readAll(docs, 1, out);
    return Array.from(out.values.subarray(out.starts[0], out.starts[1]), (ordinal) => ordinals.term(ordinal));
  }
  const binary = reader.binary(name)?.get(doc);
  if (binary) return [Buffer.from(binary).toString('base64')];
  const points = reader.geo(name);
  return points ? readPoints(docs, (lats, lons) => points.readAll(docs, 1, lats, lons)) : [];
}

function readNumbers(_docs: Int32Array, read: (out: MultiNumbers) => void): number[] {
  const out: MultiNumbers = { starts: new Int32Array(2), values: new Float64Array(16) };
  read(out);
  return Array.from(out.values.subarray(out.starts[0], out.starts[1]));
}

const pointText = (lat: number, lon: number): string => `${formatDouble(lat)}, ${formatDouble(lon)}`;

function readPoints(_docs: Int32Array, read: (lats: MultiNumbers, lons: MultiNumbers) => void): string[] {
  const lats: MultiNumbers = { starts: new Int32Array(2), values: new Float64Array(16) };
  const lons: MultiNumbers = { starts: new Int32Array(2), values: new Float64Array(16) };
  read(lats, lons);
  const first = lons.starts[0]!;
  // 8.12 has them in the order of their texts.
  return Array.from(lats.values.subarray(lats.starts[0], lats.starts[1]), (lat, i) =>
    pointText(lat, lons.values[first + i]!),
  ).sort();
}
