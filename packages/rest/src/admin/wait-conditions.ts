import { errors } from '@shoal/errors';
import type { ClusterHealth, HealthStatus } from '@shoal/state';

/** Conditions that `_cluster/health` waits for. */
export interface WaitConditions {
  readonly status: HealthStatus | null;
  readonly noRelocating: boolean;
  readonly noInitializing: boolean;
  /** `wait_for_active_shards`: `all`, or the number of active shards. */
  readonly activeShards: 'all' | number;
  readonly nodes: ((count: number) => boolean) | null;
}

/** Statuses, best first. */
const STATUS: readonly HealthStatus[] = ['green', 'yellow', 'red'];

/** Parses `wait_for_status`; null if it is not given. Throws for an unknown status. */
export function parseStatus(text: string | null): HealthStatus | null {
  if (text === null) return null;
  const status = STATUS.find((known) => known === text.toLowerCase());
  if (!status)
    throw errors.illegalArgument(
      `No enum constant org.elasticsearch.cluster.health.ClusterHealthStatus.${text.toUpperCase()}`,
    );
  return status;
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

/** Parses `wait_for_nodes` (`3`, `>=3`, `ge(3)` …) to a test of the number of nodes. */
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

/** Whether `health` meets all conditions. */
export function meetsConditions(health: ClusterHealth, conditions: WaitConditions): boolean {
  return (
    (conditions.status === null || STATUS.indexOf(health.status) <= STATUS.indexOf(conditions.status)) &&
    (!conditions.noRelocating || health.relocating === 0) &&
    (!conditions.noInitializing || health.initializing === 0) &&
    enoughActive(health, conditions.activeShards) &&
    (conditions.nodes === null || conditions.nodes(health.numberOfNodes))
  );
}
