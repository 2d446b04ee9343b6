import { errors } from '@shoal/errors';
import { setOwn } from '@shoal/json';
import type { FieldType, Mapping, ValueFormat } from '@shoal/mapping';
import type { MultiNumbers, MultiOrdinals, SegmentReader } from '@shoal/segments';
import type { Searcher, StoredDocument } from '../searcher.js';
import type { FieldSpec } from './fetch-spec.js';
import { doubleNumber } from '@shoal/json';

interface Wanted {
  readonly name: string;
  readonly type: FieldType;
  readonly format: ValueFormat;
}

/** Reads columns of documents for `docvalue_fields`. */
export interface DocValueFields {
  read(reader: SegmentReader, doc: number, document: StoredDocument, into: Record<string, unknown>): void;
}

/** Numeric metadata of every document, which mappings do not list. */
const METADATA_NUMBERS: Readonly<Record<string, (document: StoredDocument) => number>> = {
  _seq_no: ({ seqNo }) => seqNo,
  _version: ({ version }) => version,
  _primary_term: ({ primaryTerm }) => primaryTerm,
};

/** Resolves names and patterns; throws for fields without columns and for too many. */
export function docValueFields(specs: readonly FieldSpec[], searcher: Searcher): DocValueFields {
  const wanted = new Map<string, Wanted>();
  const metadata = specs.map(({ field }) => field).filter((field) => Object.hasOwn(METADATA_NUMBERS, field));
  for (const { field, format } of specs) {
    for (const type of typesOf(field, searcher.mapping)) {
      requireColumn(type, searcher);
      const name = field.includes('*') ? type.name : field;
      wanted.set(name, { name, type, format: type.format(format, null) });
    }
  }
  refuseTooMany(wanted.size, searcher);
  return {
    read: (reader, doc, document, into) => {
      wanted.forEach((field) => readColumn(field, reader, doc, into));
      for (const field of metadata) setOwn(into, field, [METADATA_NUMBERS[field]!(document)]);
    },
  };
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

function requireColumn(type: FieldType, { index }: Searcher): void {
  if (type.layout?.column) return;
  if (type.indexAnalyzer && type.capabilities.couldUninvert) {
    throw errors.illegalArgument(
      `Fielddata is disabled on [${type.name}] in [${index}]. Text fields are not optimised for operations that ` +
        'require per-document field data like aggregations and sorting, ' +
        'so these operations are disabled by default. Please use a keyword field instead. Alternatively, set ' +
        `fielddata=true on [${type.name}] in order to load field data by ` +
        'uninverting the inverted index. Note that this can use significant memory.',
    );
  }
  throw errors.illegalArgument(
    `Can't load fielddata on [${type.name}] because fielddata is unsupported on fields of type [${type.typeName}]. ` +
      'Use doc values instead.',
  );
}

function readColumn(
  { name, type, format }: Wanted,
  reader: SegmentReader,
  doc: number,
  into: Record<string, unknown>,
): void {
  if (!type.isAggregatable) return;
  const values = valuesOf(type.name, reader, doc).map((value) => shown(type, format, value));
  if (values.length > 0) setOwn(into, name, values);
}

function shown(type: FieldType, format: ValueFormat, value: number | bigint | string): unknown {
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

function readPoints(_docs: Int32Array, read: (lats: MultiNumbers, lons: MultiNumbers) => void): string[] {
  const lats: MultiNumbers = { starts: new Int32Array(2), values: new Float64Array(16) };
  const lons: MultiNumbers = { starts: new Int32Array(2), values: new Float64Array(16) };
  read(lats, lons);
  return Array.from(
    lats.values.subarray(lats.starts[0], lats.starts[1]),
    (lat, i) => `${lat}, ${lons.values[lons.starts[0]! + i]}`,
  );
}
