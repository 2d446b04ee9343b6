import type { JsonObject } from '@shoal/json';
import type { SecurityDocument } from '../documents.js';

/** Source of an API key's document. */
export interface ApiKeyRecord {
  readonly doc_type: 'api_key';
  readonly name: string;
  readonly version: number;
  readonly creation_time: number;
  readonly expiration_time: number | null;
  readonly api_key_invalidated: boolean;
  readonly invalidation_time?: number;
  readonly api_key_hash: string;
  /** The key's own roles by name, in the form of the API. */
  readonly role_descriptors: Readonly<Record<string, JsonObject>>;
  /** Roles of the owner when the key was created or last updated. */
  readonly limited_by_role_descriptors: Readonly<Record<string, JsonObject>>;
  readonly metadata_flattened: JsonObject;
  readonly creator: {
    readonly principal: string;
    readonly full_name: string | null;
    readonly email: string | null;
    readonly metadata: JsonObject;
    readonly realm: string;
    readonly realm_type: string;
  };
}

/** Mapping of `.security-7`. */
export const KEYS_MAPPING: JsonObject = {
  dynamic: 'strict',
  properties: {
    doc_type: { type: 'keyword' },
    name: { type: 'keyword' },
    version: { type: 'integer' },
    creation_time: { type: 'date', format: 'epoch_millis' },
    expiration_time: { type: 'date', format: 'epoch_millis' },
    api_key_invalidated: { type: 'boolean' },
    invalidation_time: { type: 'date', format: 'epoch_millis' },
    api_key_hash: { type: 'keyword', index: false, doc_values: false },
    role_descriptors: { type: 'object', enabled: false },
    limited_by_role_descriptors: { type: 'object', enabled: false },
    metadata_flattened: { type: 'flattened' },
    creator: {
      properties: {
        principal: { type: 'keyword' },
        full_name: { type: 'keyword' },
        email: { type: 'keyword' },
        metadata: { type: 'object', enabled: false },
        realm: { type: 'keyword' },
        realm_type: { type: 'keyword' },
      },
    },
  },
};

/** The record in a document of `.security-7`. */
export function recordOf(document: SecurityDocument): ApiKeyRecord {
  return document.source as unknown as ApiKeyRecord;
}

/** An API key in the form of `GET /_security/api_key`. */
export function apiKeyToJson(document: SecurityDocument, withLimitedBy: boolean): Record<string, unknown> {
  const record = recordOf(document);
  return {
    id: document.id,
    name: record.name,
    type: 'rest',
    creation: record.creation_time,
    ...(record.expiration_time === null ? {} : { expiration: record.expiration_time }),
    invalidated: record.api_key_invalidated,
    ...(record.invalidation_time === undefined ? {} : { invalidation: record.invalidation_time }),
    username: record.creator.principal,
    realm: record.creator.realm,
    metadata: record.metadata_flattened,
    role_descriptors: record.role_descriptors,
    ...(withLimitedBy ? { limited_by: [record.limited_by_role_descriptors] } : {}),
    ...(document.sort === undefined ? {} : { _sort: document.sort }),
  };
}
