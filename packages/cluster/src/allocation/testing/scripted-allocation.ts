import type { RunCommand, ScenarioCommand } from '@shoal/testing';
import type { NodeInfo, ShardRouting } from '@shoal/state';
import { TestCluster, testNode } from './clusters.js';

/** Parses words `a=b` to an object. */
const fieldsOf = (words: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(words.map((word) => word.split('=') as [string, string]));

const nodeOf = ([id, ...attributes]: readonly string[], process = 0): NodeInfo =>
  testNode(id!, { attributes: fieldsOf(attributes), ephemeralId: `${id}#${process}` });

const GB = 2 ** 30;

/**
 * Prints a copy as `P:n1`: lower case while it recovers, with an arrow while it relocates, `r:-` with the reason while
 * it is unassigned.
 */
function shown(copy: ShardRouting, startMs: number): string {
  const role = copy.primary ? 'P' : 'R';
  const isActive = copy.state === 'STARTED' || copy.state === 'RELOCATING';
  const arrow = copy.relocatingNodeId === null ? '' : `${isActive ? '>' : '<'}${copy.relocatingNodeId}`;
  const { unassigned } = copy;
  const until = unassigned?.delayedUntilMs ?? null;
  const wait = until === null ? '' : ` until ${(until - startMs) / 1000}s`;
  const why = copy.nodeId === null && unassigned ? ` (${unassigned.reason}${wait})` : '';
  return `${isActive ? role : role.toLowerCase()}:${copy.nodeId ?? '-'}${arrow}${why}`;
}

/**
 * A cluster whose allocation is driven by the commands of a text scenario. After each command it shows every shard: its
 * copies, its primary term and how many allocation ids are in sync. Commands:
 *
 * - `cluster` with a node a line below, `n1 zone=a`; `join n3 zone=b`; `leave n1`
 * - `create books shards=3 replicas=1`, `index books index.number_of_replicas=0`
 * - `settings cluster.routing.allocation.enable=none`
 * - `disk n1 free=9 total=100`: gigabytes
 * - `reroute`; `start`: all copies that recover have recovered; `settle`: both until all rest; `later 60`: seconds
 */
export function scriptedAllocation(): RunCommand {
  let c = new TestCluster();
  const startMs = c.nowMs;
  const disks = new Map<string, { readonly totalBytes: number; readonly freeBytes: number }>();
  const indices: string[] = [];
  let processes = 0;

  const commands: Readonly<Record<string, (words: readonly string[], input: readonly string[]) => void>> = {
    cluster(_words, input) {
      c = new TestCluster(input.map((words) => nodeOf(words.split(' '))));
      c.extra = { disk: (id) => disks.get(id) ?? null };
    },
    join: (words) => void c.run('node-join', { nodes: [nodeOf(words, ++processes)] }),
    leave: (ids) => c.leave(...ids),
    create([name, ...words]) {
      const { shards, replicas } = fieldsOf(words);
      indices.push(name!);
      c.create(name!, Number(shards), Number(replicas));
    },
    index: ([name, ...words]) => void c.run('update-settings', { uuids: [c.uuid(name!)], settings: fieldsOf(words) }),
    settings: (words) => void c.run('cluster-settings', { persistent: fieldsOf(words), transient: {} }),
    disk([id, ...words]) {
      const { free, total } = fieldsOf(words);
      disks.set(id!, { freeBytes: Number(free) * GB, totalBytes: Number(total) * GB });
    },
    reroute: () => void c.run('reroute', {}),
    start: () => void c.startAll(),
    settle: () => void c.settle(),
    later: ([seconds]) => void (c.nowMs += Number(seconds) * 1000),
  };
  const picture = (): string[] =>
    indices.flatMap((name) => {
      const { inSync, primaryTerms } = c.state.indices.get(c.uuid(name))!;
      return c.state.routing.get(c.uuid(name))!.map((copies, shard) => {
        const row = copies.map((copy) => shown(copy, startMs)).join(' ');
        return `${name}[${shard}] ${row} term=${primaryTerms[shard]} inSync=${inSync[shard]!.length}`;
      });
    });
  return ({ name, words, input }: ScenarioCommand): string => {
    const run = commands[name];
    if (!run) throw new Error(`no command [${name}]`);
    run(words, input);
    return picture().join('\n');
  };
}
