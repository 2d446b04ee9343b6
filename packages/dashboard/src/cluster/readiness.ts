import type { ClusterAnswer } from './cluster-client.js';

/** What the dashboard knows of the cluster. */
export type ReadyState = 'unreachable' | 'unauthorized' | 'ready' | 'lost';

/** Result of one look at the cluster. */
export type ClusterLook =
  | {
      readonly kind: 'answered';
      readonly version: string;
      readonly clusterName: string;
      readonly uuid: string;
      readonly hasSecurity: boolean;
      readonly health: string | null;
      /** Calls of the look that were not answered in time while others were. */
      readonly late: readonly string[];
    }
  /** Only calls without which nothing is known of the cluster were late. */
  | { readonly kind: 'slow'; readonly late: readonly string[] }
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string }
  | { readonly kind: 'silent'; readonly said: readonly { readonly host: string; readonly reason: string }[] };

/** State of the cluster with what the last look told. */
export interface Readiness {
  readonly state: ReadyState;
  readonly look: ClusterLook;
  /** Milliseconds since 1970 of the last look that was answered; null before the first. */
  readonly answeredAtMs: number | null;
  /** Id of the cluster that answered first; null while none has. */
  readonly uuid: string | null;
  /** Whether the cluster asks for credentials, as the last answered look told; true before. */
  readonly hasSecurity: boolean;
  /** Looks in a row that were not answered, until now. */
  readonly silences: number;
  /** Looks in a row of which the cluster answered a part in time, until now. */
  readonly slowLooks: number;
  /** Milliseconds since 1970 of the first of those; null without any. */
  readonly slowSinceMs: number | null;
}

/** A node that collects garbage, or a packet that is lost, keeps one look from its answer. */
const SILENCES_TOLD = 2;
const SLOW_LOOKS_TOLD = 2;

/** Before the first look. */
export const UNKNOWN: Readiness = {
  state: 'unreachable',
  look: { kind: 'silent', said: [] },
  answeredAtMs: null,
  uuid: null,
  hasSecurity: true,
  silences: 0,
  slowLooks: 0,
  slowSinceMs: null,
};

/**
 * The state after a look. A cluster that was reached once is `lost` rather than `unreachable` while it is silent, from
 * the second look in a row on, and open pages stay usable. A refused user is `unauthorized` in any case: nothing works
 * until it is mended. A cluster that answers late is not away: what was known of it stays.
 */
export function afterLook(before: Readiness, look: ClusterLook, nowMs: number): Readiness {
  if (look.kind === 'answered' && isOther(before, look.uuid)) return silent(before, otherCluster(look.uuid));
  if (look.kind === 'answered')
    return {
      ...afterLate(before, look.late, nowMs),
      state: 'ready',
      look: withLastHealth(look, before.look),
      answeredAtMs: nowMs,
      uuid: isFormed(look.uuid) ? look.uuid : before.uuid,
      hasSecurity: look.hasSecurity,
      silences: 0,
    };
  if (look.kind === 'refused') return { ...before, ...IN_TIME, state: 'unauthorized', look, silences: 0 };
  if (look.kind === 'slow' && before.look.kind === 'answered' && before.state === 'ready')
    return {
      ...before,
      ...afterLate(before, look.late, nowMs),
      look: { ...before.look, late: look.late },
      answeredAtMs: nowMs,
      silences: 0,
    };
  if (look.kind === 'slow') return { ...silent(before, lateLook(look.late)), silences: before.silences + 1 };
  const silences = before.silences + 1;
  return isUnsure({ ...before, silences }) ? { ...before, silences } : { ...silent(before, look), silences };
}

/** Whether looks that were not answered are too few yet to take a cluster that was ready for lost. */
export const isUnsure = ({ state, silences }: Readiness): boolean =>
  state === 'ready' && silences > 0 && silences < SILENCES_TOLD;

const IN_TIME = { slowLooks: 0, slowSinceMs: null };

function afterLate(
  { slowLooks, slowSinceMs }: Readiness,
  late: readonly string[],
  nowMs: number,
): Pick<Readiness, 'slowLooks' | 'slowSinceMs'> {
  return late.length === 0 ? IN_TIME : { slowLooks: slowLooks + 1, slowSinceMs: slowSinceMs ?? nowMs };
}

/** The health of the look before, while the cluster takes too long to find it. */
const withLastHealth = (look: Answered, before: ClusterLook): Answered =>
  look.late.length > 0 && look.health === null && before.kind === 'answered'
    ? { ...look, health: before.health }
    : look;

type Answered = Extract<ClusterLook, { readonly kind: 'answered' }>;

const lateLook = (late: readonly string[]): ClusterLook => ({
  kind: 'silent',
  said: [{ host: 'cluster', reason: `is late with ${late.join(' and ')}` }],
});

/** What is late of a cluster that answers other calls, and since when; null unless it was so twice in a row. */
export function slownessOf({ state, look, slowLooks, slowSinceMs }: Readiness): Slowness | null {
  if (state !== 'ready' || look.kind !== 'answered' || slowLooks < SLOW_LOOKS_TOLD) return null;
  return { since: slowSinceMs!, calls: look.late };
}

/** A cluster that answers, though late. */
export interface Slowness {
  /** Milliseconds since 1970. */
  readonly since: number;
  /** Calls without an answer in time, `GET /_cluster/health`. */
  readonly calls: readonly string[];
}

const silent = (before: Readiness, look: ClusterLook): Readiness => ({
  ...before,
  ...IN_TIME,
  state: before.answeredAtMs === null ? 'unreachable' : 'lost',
  look,
});

/** A cluster that has not elected a master yet has no id. */
const isFormed = (uuid: string): boolean => uuid !== '' && uuid !== '_na_';

/** Sessions and rights belong to one cluster: a host that became part of another one is not asked for them. */
const isOther = ({ uuid }: Readiness, found: string): boolean => uuid !== null && isFormed(found) && uuid !== found;

const otherCluster = (uuid: string): ClusterLook => ({
  kind: 'silent',
  said: [{ host: 'cluster', reason: `is another cluster [${uuid}] than before; restart the dashboard to use it` }],
});

/**
 * Reads the answers of `GET /`, `GET /_security/_authenticate` and `GET /_cluster/health`; null for a health that is
 * late.
 */
export function readLook(root: ClusterAnswer, who: ClusterAnswer, health: ClusterAnswer | null): ClusterLook {
  const refused = [root, who].find(({ status }) => status === 401 || status === 403);
  if (refused !== undefined) return { kind: 'refused', status: refused.status, reason: reasonOf(refused) };
  const json = jsonOf(root) as { version?: { number?: string }; cluster_name?: string; cluster_uuid?: string } | null;
  if (root.status !== 200 || json?.version?.number === undefined)
    return { kind: 'silent', said: [{ host: 'cluster', reason: `status [${root.status}]` }] };
  return {
    kind: 'answered',
    version: json.version.number,
    clusterName: json.cluster_name ?? '',
    uuid: json.cluster_uuid ?? '',
    hasSecurity: who.status === 200,
    health: health === null ? null : ((jsonOf(health) as { status?: string } | null)?.status ?? null),
    late: health === null ? [callName(HEALTH)] : [],
  };
}

/** Paths of the calls of a look, in the order of `readLook`. */
export const HEALTH = '/_cluster/health';
export const LOOK_PATHS = ['/', '/_security/_authenticate', HEALTH] as const;
/** A call of a look as it is told. */
export const callName = (path: string): string => `GET ${path}`;

/** Parsed body of an answer; null if it is no JSON. */
export function jsonOf({ body }: ClusterAnswer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}

/** The reason that the cluster gives in an error. */
export function reasonOf(answer: ClusterAnswer): string {
  const error = (jsonOf(answer) as { error?: { reason?: string } | string } | null)?.error;
  if (typeof error === 'string') return error;
  return error?.reason ?? `status [${answer.status}]`;
}

/** The call that mends a refusal of the dashboard's own user. */
export const MEND = 'POST /_security/user/kibana_system/_password';
