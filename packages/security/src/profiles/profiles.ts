import type { Clock } from '@shoal/doors';
import { errors, isApiError } from '@shoal/errors';
import { deepEqual, mergeDocuments, type JsonObject } from '@shoal/json';
import type { Authentication } from '../authentication.js';
import type { SecurityDocument, SecurityDocuments, WhenVisible } from '../documents.js';
import {
  profileAfterLogin,
  profileBody,
  profileId,
  profileOf,
  type ProfileRecord,
  profileSource,
  profileToJson,
  profileUid,
} from './profile-record.js';
import { type ProfileSuggestion, suggestionQuery } from './suggest-profiles.js';

const INDEX = '.security-profile-8';

/** A login this soon after the last one writes nothing if the user has not changed. */
const SYNCHRONIZED_MS = 30_000;

/** Labels and data to add to a profile; objects are merged key by key. */
export interface ProfileChange {
  readonly labels: JsonObject;
  readonly data: JsonObject;
  /** Sequence number that the document must have; null for any. */
  readonly ifSeqNo: number | null;
  readonly ifPrimaryTerm: number | null;
  readonly visible: WhenVisible;
}

/** User profiles, documents of `.security-profile-8`. */
export interface Profiles {
  /** Creates or updates the profile of a user who logged in; enables it if it was disabled. */
  activate(who: Authentication): Promise<JsonObject>;
  /** Finds profiles by uid; null for one that does not exist. */
  find(uids: readonly string[]): Promise<ReadonlyMap<string, SecurityDocument | null>>;
  suggest(
    suggestion: ProfileSuggestion,
    wanted: readonly string[],
  ): Promise<{ readonly total: number; readonly profiles: readonly JsonObject[] }>;
  /** Throws document_missing_exception; a version conflict if the change asks for another version. */
  change(uid: string, change: ProfileChange): Promise<void>;
  setEnabled(uid: string, enabled: boolean, visible: WhenVisible): Promise<void>;
}

/** Dependencies of `createProfiles`. */
export interface ProfilesOptions {
  readonly documents: SecurityDocuments;
  readonly clock: Pick<Clock, 'now'>;
}

const isFresh = (record: ProfileRecord, now: ProfileRecord): boolean =>
  record.enabled &&
  deepEqual(record.user, now.user) &&
  now.last_synchronized - record.last_synchronized < SYNCHRONIZED_MS;

function checkCanHaveProfile({ type, user }: Authentication): void {
  if (type === 'realm' || type === 'token') return;
  throw errors.illegalArgument(
    `[${user.username}] has no user profile: a profile belongs to a user who logs in, not to an authentication of ` +
      `type [${type}]`,
  );
}

async function activate({ documents, clock }: ProfilesOptions, who: Authentication): Promise<SecurityDocument> {
  checkCanHaveProfile(who);
  const id = profileId(profileUid(who.user.username, who.lookupRealm));
  for (;;) {
    const read = await documents.get(INDEX, id);
    const before = read === null ? null : profileOf(read);
    const record = profileAfterLogin(before, who.user, who.lookupRealm, clock.now());
    if (read !== null && isFresh(before!, record)) return read;
    const isWritten = await (read === null
      ? createUnlessThere(documents, id, record)
      : documents.replace(INDEX, read, profileSource(record), 'wait'));
    const written = isWritten ? await documents.get(INDEX, id) : null;
    if (written !== null) return written;
  }
}

/** Creates a profile; false if another login created it at the same time. */
async function createUnlessThere(documents: SecurityDocuments, id: string, record: ProfileRecord): Promise<boolean> {
  try {
    await documents.create(INDEX, id, profileSource(record), 'wait');
    return true;
  } catch (error) {
    if (!isApiError(error) || error.status !== 409) throw error;
    return false;
  }
}

/** Changes a profile; retries if it is changed at the same time. */
async function edit(
  { documents }: ProfilesOptions,
  uid: string,
  visible: WhenVisible,
  check: (read: SecurityDocument) => void,
  next: (record: ProfileRecord) => ProfileRecord,
): Promise<void> {
  for (;;) {
    const read = await documents.get(INDEX, profileId(uid));
    if (read === null) throw errors.documentMissing(`[${profileId(uid)}]: document missing`);
    check(read);
    if (await documents.replace(INDEX, read, profileSource(next(profileOf(read))), visible)) return;
  }
}

function checkVersion({ id, seqNo, primaryTerm }: SecurityDocument, { ifSeqNo, ifPrimaryTerm }: ProfileChange): void {
  if ((ifSeqNo ?? seqNo) === seqNo && (ifPrimaryTerm ?? primaryTerm) === primaryTerm) return;
  throw errors.versionConflict(
    `[${id}]: version conflict, required seqNo [${ifSeqNo}], primary term [${ifPrimaryTerm}]. current document has ` +
      `seqNo [${seqNo}] and primary term [${primaryTerm}]`,
  );
}

/** Creates the profiles of a cluster. */
export function createProfiles(options: ProfilesOptions): Profiles {
  const { documents } = options;
  return {
    activate: async (who) => profileToJson(await activate(options, who), []),
    async find(uids) {
      const distinct = [...new Set(uids)];
      const read = await Promise.all(distinct.map((uid) => documents.get(INDEX, profileId(uid))));
      return new Map(distinct.map((uid, i) => [uid, read[i]!]));
    },
    async suggest(suggestion, wanted) {
      const { total, documents: found } = await documents.search(INDEX, suggestionQuery(suggestion));
      return {
        total,
        profiles: found.map(profileOf).map((record) => ({ uid: record.uid, ...profileBody(record, wanted) })),
      };
    },
    change: (uid, change) =>
      edit(
        options,
        uid,
        change.visible,
        (read) => checkVersion(read, change),
        (record) => ({
          ...record,
          labels: mergeDocuments(record.labels, change.labels),
          application_data: mergeDocuments(record.application_data, change.data),
        }),
      ),
    setEnabled: (uid, enabled, visible) =>
      edit(
        options,
        uid,
        visible,
        () => undefined,
        (record) => ({ ...record, enabled }),
      ),
  };
}
