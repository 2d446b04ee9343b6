import type { ClusterState, LifecyclePhase, StoredPolicy } from '@shoal/state';
import { lifecyclePolicies } from '@shoal/state';

const MANAGED = { managed: true };
const ROLLOVER: LifecyclePhase = {
  min_age: '0ms',
  actions: { rollover: { max_age: '30d', max_primary_shard_size: '50gb' } },
};

/** Policy that deletes some days after the rollover, with what 8.12 does to older indices in between. */
function keptFor(days: number): StoredPolicy {
  const warm: LifecyclePhase = {
    min_age: '2d',
    actions: { forcemerge: { max_num_segments: 1 }, shrink: { number_of_shards: 1 } },
  };
  const cold: LifecyclePhase = { min_age: '30d', actions: {} };
  const hot: LifecyclePhase =
    days > 7 ? ROLLOVER : { ...ROLLOVER, actions: { rollover: { max_age: '7d', max_primary_shard_size: '50gb' } } };
  const phases = {
    hot,
    ...(days > 7 ? { warm } : {}),
    ...(days > 30 ? { cold } : {}),
    delete: { min_age: `${days}d`, actions: { delete: { delete_searchable_snapshot: true } } },
  };
  const used = days > 30 ? 'hot, warm, and cold' : days > 7 ? 'hot and warm' : 'hot';
  const description = `built-in ILM policy using the ${used} phases with a retention of ${days} days`;
  return stored({ phases, _meta: { ...MANAGED, description } });
}

function stored(policy: StoredPolicy['policy']): StoredPolicy {
  return { policy, version: 1, modifiedMs: 0, authentication: null };
}

const unlimited = (description: string): StoredPolicy =>
  stored({ phases: { hot: ROLLOVER }, _meta: { ...MANAGED, description } });

/** Policies that are there without being stored; one that is stored under the same name takes its place. */
const BUILT_IN: Readonly<Record<string, StoredPolicy>> = {
  logs: unlimited('default policy for the logs index template installed by x-pack'),
  metrics: unlimited('default policy for the metrics index template installed by x-pack'),
  synthetics: unlimited('default policy for the synthetics index template installed by x-pack'),
  ...Object.fromEntries([7, 30, 90, 180, 365].map((days) => [`${days}-days-default`, keptFor(days)])),
};

const merged = new WeakMap<object, Readonly<Record<string, StoredPolicy>>>();

/** Returns all policies by name: stored and built-in ones. */
export function allPolicies(state: ClusterState): Readonly<Record<string, StoredPolicy>> {
  const own = lifecyclePolicies(state);
  let all = merged.get(own);
  if (!all) {
    all = { ...BUILT_IN, ...own };
    merged.set(own, all);
  }
  return all;
}
