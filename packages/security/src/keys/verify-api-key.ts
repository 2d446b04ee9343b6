import type { Clock } from '@shoal/doors';
import type { Authentication, RealmRef } from '../authentication.js';
import type { SecurityDocument, SecurityDocuments } from '../documents.js';
import { matchesSecret } from '../passwords/secret-hash.js';
import type { Verified } from '../realms/realm.js';
import { parseRoleDescriptors } from './key-roles.js';
import { type ApiKeyRecord, recordOf } from './api-key-record.js';

const API_KEY_REALM: RealmRef = { name: '_es_api_key', type: '_es_api_key' };

/** A verified key, or the reason why it is not accepted. */
export type KeyCheck = { readonly verified: Verified } | { readonly problem: string };

/** Cache tag of an API key, see `Verified.tags`. */
export const apiKeyTag = (id: string): string => `api_key:${id}`;

function authenticationOf(id: string, record: ApiKeyRecord): Authentication {
  const { principal, full_name: fullName, email, metadata } = record.creator;
  return {
    user: { username: principal, roles: [], fullName, email, metadata, enabled: true },
    realm: API_KEY_REALM,
    lookupRealm: API_KEY_REALM,
    type: 'api_key',
    apiKey: {
      id,
      name: record.name,
      roleDescriptors: parseRoleDescriptors(record.role_descriptors),
      limitedBy: parseRoleDescriptors(record.limited_by_role_descriptors),
      metadata: record.metadata_flattened,
      creatorRealm: { name: record.creator.realm, type: record.creator.realm_type },
    },
    runAsBy: null,
    serviceAccount: null,
  };
}

function problemOf(document: SecurityDocument | null, id: string, secret: string, nowMs: number): string | null {
  const record = document === null ? null : recordOf(document);
  if (record === null || record.doc_type !== 'api_key') return `unable to find apikey with id ${id}`;
  if (record.api_key_invalidated) return `api key [${id}] has been invalidated`;
  if (!matchesSecret(secret, record.api_key_hash)) return `invalid credentials for API key [${id}]`;
  if (record.expiration_time !== null && record.expiration_time <= nowMs) return 'api key is expired';
  return null;
}

/**
 * Checks an id and its secret against the key's document. The document is read again after `cacheTtlMs` at the latest,
 * so that changed roles take effect.
 */
export async function verifyApiKey(
  documents: SecurityDocuments,
  clock: Clock,
  cacheTtlMs: number,
  id: string,
  secret: string,
): Promise<KeyCheck> {
  const document = await documents.get('.security-7', id);
  const problem = problemOf(document, id, secret, clock.now());
  if (problem !== null) return { problem };
  const record = recordOf(document!);
  const authentication = authenticationOf(id, record);
  const expiresAtMs = Math.min(clock.now() + cacheTtlMs, record.expiration_time ?? Number.POSITIVE_INFINITY);
  return {
    verified: {
      current: () => authentication,
      expiresAtMs,
      tags: [apiKeyTag(id), '_es_api_key', record.creator.principal],
    },
  };
}
