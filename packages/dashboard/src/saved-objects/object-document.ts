import { type ObjectContent, type ObjectType, type SavedObject, versionOf } from './object-types.js';

/** Index of all saved objects: hidden, and restricted to the dashboard's own user. */
export const OBJECTS_INDEX = '.shoal-dashboards';

/** How the index is made. Attributes are kept, not indexed: they differ from type to type. */
export const INDEX_BODY = {
  settings: { number_of_shards: 1, auto_expand_replicas: '0-1', 'index.hidden': true },
  mappings: {
    dynamic: false,
    properties: {
      type: { type: 'keyword' },
      id: { type: 'keyword' },
      title: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 1024 } } },
      created_at: { type: 'date' },
      updated_at: { type: 'date' },
      attributes: { type: 'object', enabled: false },
      references: { type: 'object', enabled: false },
    },
  },
} as const;

/** Source of the document of a saved object. */
export interface ObjectSource {
  readonly type: ObjectType;
  readonly id: string;
  readonly title: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly references?: ObjectContent['references'];
}

/** A document as searches and gets of the cluster answer it. */
export interface ObjectHit {
  readonly _source: ObjectSource;
  readonly _seq_no: number;
  readonly _primary_term: number;
  readonly sort?: readonly unknown[];
}

/** Id of the document of a saved object. */
export const documentId = (type: ObjectType, id: string): string => `${type}:${id}`;

/** Path of the document. */
export const documentPath = (end: '_doc' | '_create', type: ObjectType, id: string): string =>
  `/${OBJECTS_INDEX}/${end}/${encodeURIComponent(documentId(type, id))}`;

/** The document of a saved object that is written at `now` (ISO 8601). */
export function sourceOf(
  type: ObjectType,
  id: string,
  { attributes, references }: ObjectContent,
  now: string,
  createdAt = now,
): Required<ObjectSource> {
  const title = typeof attributes['title'] === 'string' ? attributes['title'] : '';
  return { type, id, title, created_at: createdAt, updated_at: now, attributes, references };
}

/** The saved object of a document. */
export function objectOf(
  { type, id, created_at, updated_at, attributes = {}, references = [] }: ObjectSource,
  seqNo: number,
  primaryTerm: number,
): SavedObject {
  return {
    id,
    type,
    namespaces: ['default'],
    created_at,
    updated_at,
    version: versionOf(seqNo, primaryTerm),
    attributes,
    references,
    managed: false,
  };
}
