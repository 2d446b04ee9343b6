import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject, stringify, tokenOf } from '@shoal/json';
import { int, type OptionPlace, readOptions, text } from '../parse/options.js';
import type { ParsedQuery, PlanContext, QueryContext, QueryType } from '../parsed-query.js';
import { DocumentPercolation } from '../percolate/percolation.js';
import type { Plan } from '../plan.js';
import { allowsExpensive, nonePlan, shardError } from '../plan-query.js';

/** Documents whose stored query, in a field of type `percolator`, matches one of the documents that are given. */
export const percolate: QueryType = {
  name: 'percolate',
  parse: (body, _container, context) => parse(body as JsonObject, context),
};

/** Limit on the documents of one query: each is indexed in memory on each shard. */
const DOCUMENTS_MAX = 10_000;

/** Limit on the bytes of the documents of one query: they are parsed, analysed and indexed at a stretch. */
const BYTES_MAX = 1024 * 1024;

interface Percolate {
  readonly field: string;
  readonly documents: readonly JsonObject[];
  readonly name: string | null;
  /** Parses a stored query. */
  readonly parseStored: QueryContext['parseStored'];
}

function parse(body: JsonObject, { parseStored }: QueryContext): ParsedQuery {
  const options = readOptions(
    'percolate',
    body,
    {
      field: text,
      name: text,
      document: readDocument,
      documents: readDocuments,
      index: text,
      id: text,
      routing: text,
      preference: text,
      version: int,
    },
    'declared',
  );
  const { field, name, document, documents, index, id, boost, queryName } = options;
  checkGiven({ document, documents, id }, field);
  const given = document === undefined ? documents : [document];
  if (given === undefined || given.length === 0) throw missingDocument(index, id);
  const query = { field, documents: given, name: name ?? null, parseStored };
  return { type: 'percolate', boost, queryName, plan: (context) => planOf(query, context) };
}

function checkGiven(sources: Readonly<Record<string, unknown>>, field: string | undefined): asserts field is string {
  if (field === undefined) throw errors.illegalArgument('Required [field]');
  const given = Object.keys(sources).filter((key) => sources[key] !== undefined);
  if (given.length > 1)
    throw errors.illegalArgument(`The following fields are not allowed together: [${given.join(', ')}] `);
  if (given.length === 0)
    throw errors.illegalArgument('Required one of fields [document, documents, id], but none were specified. ');
}

function missingDocument(index: string | undefined, id: string | undefined): Error {
  const missing = [
    ...(index === undefined ? ['index is missing'] : []),
    ...(id === undefined ? ['id is missing'] : []),
  ];
  return errors.actionRequestValidation(
    missing.length === 0
      ? 'a document of another index is looked up by searches only'
      : `Validation Failed: ${missing.map((reason, i) => `${i + 1}: ${reason};`).join('')}`,
  );
}

function readDocument(value: unknown, place: OptionPlace): JsonObject {
  if (isPlainObject(value)) return value;
  throw errors.xContentParse(`[percolate] document doesn't support values of type: ${tokenOf(value)}`, {
    location: { container: place.container, key: place.key },
  });
}

function readDocuments(value: unknown, place: OptionPlace): readonly JsonObject[] {
  const items = Array.isArray(value) ? value : [value];
  if (items.length > DOCUMENTS_MAX)
    throw errors.illegalArgument(`[percolate] query accepts at most [${DOCUMENTS_MAX}] documents`);
  return items.map((item) => readDocument(item, place));
}

function planOf({ field, documents, name, parseStored }: Percolate, context: PlanContext): Plan {
  if (!allowsExpensive(context))
    throw errors.exception(
      "[percolate] queries cannot be executed when 'search.allow_expensive_queries' is set to false.",
      { status: 400 },
    );
  const { searcher, now } = context;
  const type = searcher.mapping.field(field);
  if (type === null) throw shardError(searcher, `field [${field}] does not exist`);
  if (type.typeName !== 'percolator')
    throw shardError(
      searcher,
      `expected field [${field}] to be of type [percolator], but is of type [${type.typeName}]`,
    );
  if (searcher.indexDocuments === undefined) return nonePlan('no documents can be indexed here');
  const sources = documents.map((document) => Buffer.from(stringify(document)));
  if (sources.reduce((sum, { length }) => sum + length, 0) > BYTES_MAX)
    throw errors.illegalArgument(`[percolate] query accepts at most [${BYTES_MAX}] bytes of documents`);
  const percolation = new DocumentPercolation(searcher.indexDocuments(searcher, sources, now()), parseStored, now);
  return { kind: 'percolate', field: type.name, percolation, name, boost: 1 };
}
