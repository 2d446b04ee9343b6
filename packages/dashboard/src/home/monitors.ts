import type { Clock } from '@shoal/doors';
import type { ClusterClient } from '../cluster/cluster-client.js';
import { jsonOf } from '../cluster/readiness.js';

const KEPT_MS = 60_000;
const KEPT_MAX = 1_000;

/** Whether users may see the state of the cluster; the cluster is asked once a minute for each session. */
export interface Monitors {
  mayMonitor(session: { readonly id: string; readonly authorization: string } | null): Promise<boolean>;
}

/** Creates the check. Without security (no session) everybody may. */
export function createMonitors(client: ClusterClient, clock: Clock): Monitors {
  const known = new Map<string, { readonly may: boolean; readonly untilMs: number }>();
  return {
    async mayMonitor(session) {
      if (session === null) return true;
      const kept = known.get(session.id);
      if (kept !== undefined && kept.untilMs > clock.now()) return kept.may;
      const answer = await client.call('POST', '/_security/user/_has_privileges', {
        authorization: session.authorization,
        body: { cluster: ['monitor'] },
      });
      const may = (jsonOf(answer) as { has_all_requested?: boolean } | null)?.has_all_requested === true;
      known.delete(session.id);
      known.set(session.id, { may, untilMs: clock.now() + KEPT_MS });
      if (known.size > KEPT_MAX) known.delete(known.keys().next().value!);
      return may;
    },
  };
}
