import type { Reading } from '../../charts/readings.js';

/** Something that changed between two readings. */
export interface ClusterEvent {
  readonly at: number;
  readonly what: string;
}

/** What changed over the readings, the newest first: status, master, nodes, shards without a node. */
export function eventsOf(readings: readonly Reading[]): readonly ClusterEvent[] {
  const events = readings
    .slice(1)
    .flatMap((now, i) => changes(readings[i]!, now).map((what) => ({ at: now.at, what })));
  return events.toReversed();
}

function changes(before: Reading, now: Reading): string[] {
  const left = before.nodes.filter((name) => !now.nodes.includes(name));
  const came = now.nodes.filter((name) => !before.nodes.includes(name));
  const [were, are] = [before.shards.unassigned, now.shards.unassigned];
  return [
    ...left.map((name) => `node ${name} left`),
    ...came.map((name) => `node ${name} came`),
    ...(before.master === now.master
      ? []
      : [`the master is ${now.master ?? 'nobody'}, was ${before.master ?? 'nobody'}`]),
    ...(before.status === now.status ? [] : [`the status is ${now.status}, was ${before.status}`]),
    ...(were === are ? [] : [`${are} copies have no node, had ${were}`]),
  ];
}
