import type { Remedy } from '../../why/remedy.js';

/** Nodes whose names are in this setting keep no copies: theirs move to other nodes. */
const EXCLUDED = 'cluster.routing.allocation.exclude._name';

/** Flat settings of the cluster as it answers them. */
export interface ClusterSettings {
  readonly persistent?: Readonly<Record<string, unknown>>;
  readonly transient?: Readonly<Record<string, unknown>>;
}

/** Where the setting is: a transient one hides the persistent one. */
const groupOf = ({ transient }: ClusterSettings): 'persistent' | 'transient' =>
  transient?.[EXCLUDED] === undefined ? 'persistent' : 'transient';

/** Names of the nodes that are being drained, or are empty by now. */
export function drainedNodes(settings: ClusterSettings): readonly string[] {
  const value = settings[groupOf(settings)]?.[EXCLUDED] ?? [];
  const names = Array.isArray(value) ? value.map(String) : String(value).split(',');
  return names.map((name) => name.trim()).filter((name) => name !== '');
}

/** The call that drains a node, or lets it have copies again if it is drained. */
export function drainCall(settings: ClusterSettings, node: string): Remedy {
  const before = drainedNodes(settings);
  const isDrained = before.includes(node);
  const names = isDrained ? before.filter((name) => name !== node) : [...before, node];
  return {
    does: isDrained
      ? `let ${node} have copies of shards again`
      : `move all copies of shards from ${node} to other nodes; it stays in the cluster`,
    method: 'PUT',
    path: '/_cluster/settings',
    body: { [groupOf(settings)]: { [EXCLUDED]: names.length === 0 ? null : names.join(',') } },
  };
}

/** What a node that is drained has left to give away. */
export const drainState = (isDrained: boolean, shards: number): string =>
  !isDrained ? '' : shards === 0 ? 'drained' : `draining, ${shards} left`;
