import { isDataNode, type IndexMetadata, type NodeInfo } from '@shoal/state';
import { type NodeReports, reportsOf } from './nodes.js';
import type { Services } from '../services.js';

const ASK_MS = 30_000;

/** A dangling index over all nodes: its metadata as the node knew it that saw it last, and the nodes with stores. */
export interface Dangling {
  readonly uuid: string;
  readonly metadata: IndexMetadata | null;
  readonly nodes: readonly NodeInfo[];
}

interface Listed {
  readonly uuid: string;
  readonly metadata: IndexMetadata | null;
}

/** Asks the data nodes for indices of which they have stores and the cluster knows nothing. */
export async function danglingIndices(
  { cluster, coordinator }: Services,
  timeoutMs = ASK_MS,
): Promise<{ readonly header: NodeReports['header']; readonly found: readonly Dangling[] }> {
  const nodes = [...cluster.state().nodes.values()].filter(isDataNode);
  const ids = nodes.map(({ id }) => id);
  const { header, reports } = reportsOf(nodes, await coordinator.callNodes(ids, 'list-dangling', {}, { timeoutMs }));
  const found = new Map<string, Dangling>();
  for (const { node, json } of reports)
    for (const { uuid, metadata } of json as unknown as readonly Listed[]) {
      const known = found.get(uuid);
      const isNewer = (metadata?.version ?? -1) > (known?.metadata?.version ?? -1);
      const newest = isNewer ? metadata : (known?.metadata ?? null);
      found.set(uuid, { uuid, metadata: newest, nodes: [...(known?.nodes ?? []), node] });
    }
  return { header, found: [...found.values()].toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1)) };
}
