import { errors } from '@shoal/errors';
import { atLeast, type ClusterHealth, type HealthStatus } from './cluster-health.js';

/** What `_cluster/health` waits for. */
export interface WaitConditions {
  readonly status: HealthStatus | null;
  readonly noRelocating: boolean;
  readonly noInitializing: boolean;
  /** `all`, or how many. */
  readonly activeShards: 'all' | number;
  readonly nodes: ((count: number) => boolean) | null;
}

const STATUS: readonly HealthStatus[] = ['green', 'yellow', 'red'];

export function parseStatus(text: string | null): HealthStatus | null {
  if (text === null) return null;
  const status = STATUS.find((known) => known === text.toLowerCase());
  if (!status)
    throw errors.illegalArgument(
      `No enum constant org.elasticsearch.cluster.health.ClusterHealthStatus.${text.toUpperCase()}`,
    );
  return status;
}

/** `all`, or a number of copies. */
export function parseActiveShards(text: string): 'all' | number {
  if (text === 'all') return 'all';
  if (/^\d+$/.test(text)) return Number(text);
  throw errors.illegalArgument(`cannot parse ActiveShardCount[${text}]`, {
    cause: errors.numberFormat(`For input string: "${text}"`),
  });
}

const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '>=': (a, b) => a >= b,
  ge: (a, b) => a >= b,
  '<=': (a, b) => a <= b,
  le: (a, b) => a <= b,
  '>': (a, b) => a > b,
  gt: (a, b) => a > b,
  '<': (a, b) => a < b,
  lt: (a, b) => a < b,
  '': (a, b) => a === b,
};

/** `3`, `>=3`, `ge(3)` … as a test of the number of nodes. */
export function parseNodeCount(text: string): (count: number) => boolean {
  const match = /^(>=|<=|>|<|)(\d+)$/.exec(text) ?? /^(ge|le|gt|lt)\((\d+)\)$/.exec(text);
  if (!match) {
    const digits = text.replace(/^(>=|<=|>|<)|^(ge|le|gt|lt)\(|\)$/g, '');
    throw errors.numberFormat(`For input string: "${digits}"`);
  }
  const compare = COMPARISONS[match[1]!]!;
  const wanted = Number(match[2]);
  return (count) => compare(count, wanted);
}

function enoughActive(health: ClusterHealth, wanted: 'all' | number): boolean {
  if (wanted === 'all') return health.unassigned === 0 && health.initializing === 0;
  return health.active >= wanted;
}

/** Whether all that was waited for holds. */
export function conditionsMet(health: ClusterHealth, conditions: WaitConditions): boolean {
  return (
    (conditions.status === null || atLeast(health.status, conditions.status)) &&
    (!conditions.noRelocating || health.relocating === 0) &&
    (!conditions.noInitializing || health.initializing === 0) &&
    enoughActive(health, conditions.activeShards) &&
    (conditions.nodes === null || conditions.nodes(health.numberOfNodes))
  );
}
