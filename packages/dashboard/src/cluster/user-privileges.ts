import type { Clock } from '@shoal/doors';
import type { ClusterClient } from './cluster-client.js';
import { jsonOf } from './readiness.js';

/** How long an answer of the cluster is believed. */
const KEPT_MS = 60_000;
const KEPT_MAX = 2_000;

/** What users need the cluster's leave for, by name. */
const QUESTIONS = {
  monitor: { cluster: ['monitor'] },
  'saved objects, read': savedObjects('read'),
  'saved objects, write': savedObjects('all'),
} as const;

/** Name of something that users need the cluster's leave for. */
export type UserPrivilege = keyof typeof QUESTIONS;

/** A user as the dashboard keeps answers about one: `id` is that of the session or the credentials themselves. */
interface PrivilegeUser {
  readonly id: string;
  readonly authorization: string;
}

/** What users may do; the cluster is asked once a minute for each session and privilege. */
export interface UserPrivileges {
  /** Whether a user may; null is a user of a cluster without security, who may everything. */
  may(user: PrivilegeUser | null, privilege: UserPrivilege): Promise<boolean>;
}

function savedObjects(privilege: string): object {
  return { application: [{ application: 'kibana-.kibana', privileges: [privilege], resources: ['*'] }] };
}

/** Creates the check. */
export function createUserPrivileges(client: ClusterClient, clock: Clock): UserPrivileges {
  const known = new Map<string, { readonly may: boolean; readonly untilMs: number }>();
  return {
    async may(user, privilege) {
      if (user === null) return true;
      const key = `${privilege} ${user.id}`;
      const kept = known.get(key);
      if (kept !== undefined && kept.untilMs > clock.now()) return kept.may;
      const answer = await client.call('POST', '/_security/user/_has_privileges', {
        authorization: user.authorization,
        body: QUESTIONS[privilege],
      });
      const may = (jsonOf(answer) as { has_all_requested?: boolean } | null)?.has_all_requested === true;
      if (answer.status !== 200) return false;
      known.delete(key);
      known.set(key, { may, untilMs: clock.now() + KEPT_MS });
      if (known.size > KEPT_MAX) known.delete(known.keys().next().value!);
      return may;
    },
  };
}
