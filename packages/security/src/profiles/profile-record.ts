import { createHash } from 'node:crypto';
import { compileSourceFilter, parseSource, stringify, type JsonObject } from '@shoal/json';
import type { RealmRef, User } from '../authentication.js';
import type { SecurityDocument } from '../documents.js';

/** User profile, the document of `.security-profile-8`: created when the profile is activated for a user. */
export interface ProfileRecord {
  readonly uid: string;
  readonly enabled: boolean;
  /** Milliseconds since 1970 when the user was last copied from its realm. */
  readonly last_synchronized: number;
  readonly user: {
    readonly username: string;
    readonly roles: readonly string[];
    readonly realm: RealmRef;
    readonly email: string | null;
    readonly full_name: string | null;
  };
  /** Labels by application; searchable. */
  readonly labels: JsonObject;
  /** Data by application; not searchable. */
  readonly application_data: JsonObject;
}

/** Mapping of `.security-profile-8`. */
export const PROFILES_MAPPING: JsonObject = {
  dynamic: 'strict',
  properties: {
    user_profile: {
      properties: {
        uid: { type: 'keyword' },
        enabled: { type: 'boolean' },
        last_synchronized: { type: 'date', format: 'epoch_millis' },
        user: {
          properties: {
            username: { type: 'search_as_you_type' },
            roles: { type: 'keyword' },
            realm: { properties: { name: { type: 'keyword' }, type: { type: 'keyword' } } },
            email: { type: 'search_as_you_type' },
            full_name: { type: 'search_as_you_type' },
          },
        },
        labels: { type: 'flattened' },
        application_data: { type: 'object', enabled: false },
      },
    },
  },
};

/**
 * Uid of a profile. It is a hash of user and realm, so that two logins at the same time on two nodes create one
 * profile.
 */
export function profileUid(username: string, realm: RealmRef): string {
  return `u_${createHash('sha256')
    .update(JSON.stringify([username, realm.type, realm.name]))
    .digest('base64url')}_0`;
}

/** Document id of a profile. */
export function profileId(uid: string): string {
  return `profile_${uid}`;
}

/** The profile in a document of `.security-profile-8`. */
export function profileOf({ source }: SecurityDocument): ProfileRecord {
  return source['user_profile'] as ProfileRecord;
}

/** Document source of a profile. */
export function profileSource(record: ProfileRecord): JsonObject {
  return { user_profile: record };
}

/** The profile after a login: a new one if `before` is null, otherwise updated. */
export function profileAfterLogin(
  before: ProfileRecord | null,
  { username, roles, email, fullName }: User,
  realm: RealmRef,
  nowMs: number,
): ProfileRecord {
  return {
    uid: before?.uid ?? profileUid(username, realm),
    enabled: true,
    last_synchronized: nowMs,
    user: { username, roles, realm, email, full_name: fullName },
    labels: before?.labels ?? {},
    application_data: before?.application_data ?? {},
  };
}

/** The parts of a profile's data that the wanted paths and patterns select; nothing if `wanted` is empty. */
export function selectData(data: JsonObject, wanted: readonly string[]): JsonObject {
  return wanted.length === 0
    ? {}
    : (parseSource(compileSourceFilter(wanted, [])(Buffer.from(stringify(data)))) as JsonObject);
}

/** User, labels and data of a profile, as every answer shows them. */
export function profileBody(
  { user, labels, application_data: data }: ProfileRecord,
  wanted: readonly string[],
): JsonObject {
  const { username, roles, realm, email, full_name: fullName } = user;
  return {
    user: {
      username,
      roles,
      realm_name: realm.name,
      ...(email === null ? {} : { email }),
      ...(fullName === null ? {} : { full_name: fullName }),
    },
    labels,
    data: selectData(data, wanted),
  };
}

/** A profile as `GET /_security/profile/{uid}` shows it. */
export function profileToJson(document: SecurityDocument, wanted: readonly string[]): JsonObject {
  const record = profileOf(document);
  const { uid, enabled, last_synchronized: synchronized } = record;
  return {
    uid,
    enabled,
    last_synchronized: synchronized,
    ...profileBody(record, wanted),
    _doc: { _primary_term: document.primaryTerm, _seq_no: document.seqNo },
  };
}
