import { isPlainObject, type JsonObject } from '@shoal/json';
import { parseWrapped, readOptions } from '../parse/options.js';
import type { QueryType } from '../parsed-query.js';

/** Every document, score 1. */
export const matchAll: QueryType = {
  name: 'match_all',
  parse: (body) => {
    const { boost, queryName } = parseWrapped(() => readOptions('match_all', asObject(body), {}, 'declared'));
    return { type: 'match_all', boost, queryName, isAll: true, plan: () => ({ kind: 'all', boost: 1 }) };
  },
};

const asObject = (body: unknown): JsonObject => (isPlainObject(body) ? body : {});
