import { type NewObject } from './object-store.js';
import { type ObjectReference, shownName } from './object-types.js';

/** What `searchSourceJSON` of a saved search of Kibana holds. */
interface SearchSource {
  readonly query?: { readonly query?: unknown; readonly language?: unknown };
  readonly filter?: readonly KibanaFilter[];
  readonly indexRefName?: string;
  readonly index?: string;
}

interface KibanaFilter {
  readonly meta?: {
    readonly key?: unknown;
    readonly type?: unknown;
    readonly params?: unknown;
    readonly negate?: unknown;
  };
}

/** A condition of a saved search. */
interface SearchFilter {
  readonly field: string;
  readonly op: 'is' | 'is_not';
  readonly value: unknown;
}

/** Whether an object is one of Kibana's that has no counterpart. */
export const isForeign = ({ type, attributes }: NewObject): boolean =>
  type === 'config' && Object.hasOwn(attributes, 'buildNum');

/** Whether an object is a dashboard as Kibana writes it. */
export const isKibanaDashboard = ({ type, attributes }: NewObject): boolean =>
  type === 'dashboard' && Object.hasOwn(attributes, 'panelsJSON');

/** Whether an object is a saved search as Kibana writes it. */
export const isKibanaSearch = ({ type, attributes }: NewObject): boolean =>
  type === 'search' && Object.hasOwn(attributes, 'kibanaSavedObjectMeta');

/**
 * A saved search of Kibana as one of ours. `patternOf` tells the title of an index pattern (data view) by its id; null
 * if it is not known: the reference that is missing is returned then.
 */
export function searchOfKibana(
  search: NewObject,
  patternOf: (id: string) => string | null,
): NewObject | { readonly missing: ObjectReference } {
  const { attributes, references } = search;
  const source = sourceOf(attributes['kibanaSavedObjectMeta']);
  const reference = references.find(({ name }) => name === source.indexRefName) ?? {
    type: 'index-pattern',
    id: shownName(source.index ?? ''),
    name: source.indexRefName ?? 'index',
  };
  const index = patternOf(reference.id);
  if (index === null) return { missing: reference };
  const { columns, sort, title, description } = attributes;
  return {
    ...search,
    references: [],
    attributes: {
      title: typeof title === 'string' ? title : '',
      ...(typeof description === 'string' ? { description } : {}),
      index,
      query: typeof source.query?.query === 'string' ? source.query.query : '',
      language: source.query?.language === 'lucene' ? 'lucene' : 'kuery',
      columns: Array.isArray(columns) ? columns.filter((one) => typeof one === 'string' && one !== '_source') : [],
      sort: Array.isArray(sort) ? sort : [],
      filters: (Array.isArray(source.filter) ? source.filter : []).flatMap(filterOfKibana),
    },
  };
}

function sourceOf(meta: unknown): SearchSource {
  const text = (meta as { searchSourceJSON?: unknown } | null)?.searchSourceJSON;
  try {
    const value = typeof text === 'string' ? (JSON.parse(text) as unknown) : null;
    return typeof value === 'object' && value !== null ? (value as SearchSource) : {};
  } catch {
    return {};
  }
}

/** A filter for one value; those of other kinds have no counterpart. */
export function filterOfKibana(filter: KibanaFilter): readonly SearchFilter[] {
  const { key, type, params, negate } = filter?.meta ?? {};
  if (typeof key !== 'string' || type !== 'phrase') return [];
  const value = (params as { query?: unknown } | null)?.query;
  return value === undefined ? [] : [{ field: key, op: negate === true ? 'is_not' : 'is', value }];
}
