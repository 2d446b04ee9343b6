import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject, tokenOf } from '@shoal/json';
import { fieldOf, numberField, objectField, objectsField, readDeclared, stringField } from '../parse/declared.js';
import { knnReaders, requireOptions, truncated } from '../parse/knn-options.js';
import { any, text } from '../parse/options.js';
import { parseQueries } from '../parse/parse-queries.js';
import { parseQuery, parseStored } from '../parse/parse-query.js';
import type { ParseContext } from '../parsed-query.js';

/** Sections of a search that the call takes, with the kinds of their values. */
const SECTIONS = {
  _source: fieldOf(['START_OBJECT', 'START_ARRAY', 'VALUE_BOOLEAN', 'VALUE_STRING'], any),
  fields: objectsField(any),
  docvalue_fields: objectsField(any),
  stored_fields: fieldOf(['VALUE_STRING', 'VALUE_NULL', 'START_ARRAY'], any),
};
const CANDIDATES_MAX = 10_000;

/** What is asked for. */
interface Asked {
  readonly k: number;
  readonly candidates: number;
}

function parseKnn(body: JsonObject, context: ParseContext): Asked {
  const knn = body['knn'] as JsonObject;
  const readers = knnReaders({ ...context, parseQuery: (inner) => parseQuery(inner, context), parseStored });
  const { k, num_candidates: candidates } = readDeclared('knn', knn, {
    field: stringField(text),
    k: numberField(truncated),
    num_candidates: numberField(truncated),
    query_vector: fieldOf(['START_ARRAY', 'VALUE_NUMBER', 'VALUE_STRING'], readers.query_vector),
  });
  // A parser of 8.12 that misses fields stands at the end of the object.
  try {
    requireOptions(knn, ['field', 'query_vector', 'k', 'num_candidates']);
  } catch (error) {
    (error as ReturnType<typeof errors.illegalArgument>).parserAt = { container: body, key: 'knn', at: 'end' };
    throw error;
  }
  return { k: k!, candidates: candidates! };
}

/**
 * Returns the search that a body of `_knn_search` asks for: each shard finds its `num_candidates` nearest documents,
 * and the `k` best of all are the hits. Throws errors in the words of 8.12.
 */
export function parseKnnSearch(body: unknown, context: ParseContext): JsonObject {
  if (!isPlainObject(body))
    throw errors.xContentParse(`[1:1] [knn-search] Expected START_OBJECT but was: ${tokenOf(body)}`);
  const asked = readDeclared('knn-search', body, {
    ...SECTIONS,
    knn: objectField(() => parseKnn(body, context)),
    filter: objectsField((value) =>
      parseQueries(value, { ...context, parseQuery: (inner) => parseQuery(inner, context), parseStored }),
    ),
  });
  if (asked.knn === undefined) throw errors.illegalArgument('missing required [knn] section in search body');
  const { k, candidates } = asked.knn;
  if (k < 1) throw errors.illegalArgument('[k] must be greater than 0');
  if (candidates < k) throw errors.illegalArgument('[num_candidates] cannot be less than [k]');
  if (candidates > CANDIDATES_MAX) throw errors.illegalArgument(`[num_candidates] cannot exceed [${CANDIDATES_MAX}]`);
  const { knn, filter, ...sections } = body;
  const { k: _, ...query } = knn as JsonObject;
  return { query: { knn: { ...query, ...(filter === undefined ? {} : { filter }) } }, size: k, ...sections };
}
