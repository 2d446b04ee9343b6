import type { Json } from '@shoal/json';
import type { SecurityDocument, SecurityDocuments } from '../documents.js';

/** Filter for API keys; null parts match every key. */
export interface ApiKeyFilter {
  readonly ids: readonly string[] | null;
  /** A name, or a prefix with `*` after it. */
  readonly name: string | null;
  readonly username: string | null;
  readonly realmName: string | null;
  readonly activeOnly: boolean;
}

/** Most keys that one call finds: the result window of a search. */
const FOUND_MAX = 10_000;

function nameQuery(name: string): Json {
  if (name === '*') return { exists: { field: 'name' } };
  return name.endsWith('*') ? { prefix: { name: { value: name.slice(0, -1) } } } : { term: { name: { value: name } } };
}

/** The filter as clauses of a `bool` query. */
export function queryOf({ ids, name, username, realmName }: ApiKeyFilter): Json[] {
  return [
    { term: { doc_type: { value: 'api_key' } } },
    ...(ids === null ? [] : [{ ids: { values: ids } }]),
    ...(name === null ? [] : [nameQuery(name)]),
    ...(username === null ? [] : [{ term: { 'creator.principal': { value: username } } }]),
    ...(realmName === null ? [] : [{ term: { 'creator.realm': { value: realmName } } }]),
  ];
}

function passes(document: SecurityDocument, { ids, username, realmName }: ApiKeyFilter): boolean {
  const source = document.source as { doc_type?: string; creator?: { principal: string; realm: string } };
  return (
    source.doc_type === 'api_key' &&
    (ids === null || ids.includes(document.id)) &&
    (username === null || source.creator?.principal === username) &&
    (realmName === null || source.creator?.realm === realmName)
  );
}

/** Finds the keys that match. Keys named by id are read in real time, others by a search as of the last refresh. */
export async function findKeys(
  documents: SecurityDocuments,
  filter: ApiKeyFilter,
): Promise<readonly SecurityDocument[]> {
  if (filter.ids !== null && filter.name === null) {
    const read = await Promise.all([...new Set(filter.ids)].map((id) => documents.get('.security-7', id)));
    return read.filter((document) => document !== null).filter((document) => passes(document, filter));
  }
  const found = await documents.search('.security-7', {
    size: FOUND_MAX,
    query: { bool: { filter: queryOf(filter) } },
    sort: ['creation_time'],
  });
  return found.documents.filter((document) => passes(document, filter)).map(({ sort: _sort, ...document }) => document);
}
