import type { Json } from '@shoal/json';
import type { SecurityDocument, SecurityDocuments } from '../documents.js';

/** Which keys are meant; null parts do not matter. */
export interface ApiKeyFilter {
  readonly ids: readonly string[] | null;
  /** A name, or the beginning of one with `*` behind. */
  readonly name: string | null;
  readonly username: string | null;
  readonly realmName: string | null;
  readonly activeOnly: boolean;
}

/** Keys beyond this many are not found by one call, the window of a search. */
const FOUND_MAX = 10_000;

function nameQuery(name: string): Json {
  if (name === '*') return { exists: { field: 'name' } };
  return name.endsWith('*') ? { prefix: { name: { value: name.slice(0, -1) } } } : { term: { name: { value: name } } };
}

/** The filter as filter clauses of a `bool` query. */
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

/** The keys that are meant. Named by id they are read as they are now, others as of the last refresh. */
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
