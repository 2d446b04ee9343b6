import { matchesWildcard } from '@shoal/values';
import type { NodeInfo } from '@shoal/state';
import { type ApiError, errors, renderCause, notBoolean } from '@shoal/errors';
import type { Services } from '../services.js';

/** Whether a node has a role; `data` means each data role. */
function hasRole(node: NodeInfo, role: string): boolean {
  if (role === 'coordinating_only') return node.roles.length === 0;
  return node.roles.includes(role) || (role === 'data' && node.roles.some((other) => other.startsWith('data')));
}

function matchesAttribute(node: NodeInfo, name: string, value: string): boolean {
  return Object.entries(node.attributes).some(
    ([key, text]) => matchesWildcard(name, key) && matchesWildcard(value, text),
  );
}

function matchesNode(services: Services, node: NodeInfo, spec: string): boolean {
  if (spec === '_all') return true;
  if (spec === '_local') return node.id === services.node.id;
  if (spec === '_master') return node.id === services.cluster.state().masterNodeId;
  return (
    node.id === spec ||
    matchesWildcard(spec, node.name) ||
    matchesWildcard(spec, node.host) ||
    matchesWildcard(spec, node.ip)
  );
}

const ROLES = new Set([
  'master',
  'data',
  'ingest',
  'ml',
  'voting_only',
  'coordinating_only',
  'transform',
  'remote_cluster_client',
  'data_hot',
  'data_warm',
  'data_cold',
  'data_frozen',
  'data_content',
]);

function parseFlag(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw notBoolean(text);
}

/**
 * Applies one part of a node filter: `role:true` adds the nodes with the role, `role:false` removes them,
 * `attribute:value` adds nodes with the attribute.
 */
function narrow(services: Services, nodes: readonly NodeInfo[], chosen: Map<string, NodeInfo>, spec: string): void {
  for (const node of nodes) if (matchesNode(services, node, spec)) chosen.set(node.id, node);
  const colon = spec.indexOf(':');
  if (colon < 0) return;
  const [key, value] = [spec.slice(0, colon), spec.slice(colon + 1)];
  if (!ROLES.has(key)) {
    for (const node of nodes) if (matchesAttribute(node, key, value)) chosen.set(node.id, node);
    return;
  }
  const adds = parseFlag(value);
  for (const node of nodes.filter((candidate) => hasRole(candidate, key))) {
    if (adds) chosen.set(node.id, node);
    else chosen.delete(node.id);
  }
}

/** Nodes of a filter such as `_master,data:true,n*`, whose parts are applied in order; all nodes if it is empty. */
export function selectNodes(services: Services, filter: readonly string[]): NodeInfo[] {
  const nodes = [...services.cluster.state().nodes.values()];
  if (filter.length === 0) return nodes;
  const chosen = new Map<string, NodeInfo>();
  for (const spec of filter) narrow(services, nodes, chosen, spec);
  return [...chosen.values()];
}

/** What a node reported, or the error if it did not answer. */
export interface NodeReport {
  readonly node: NodeInfo;
  readonly json: Readonly<Record<string, unknown>>;
}

/** Reports of nodes, and failures for the header of the answer. */
export interface NodeReports {
  readonly header: Record<string, unknown>;
  readonly reports: readonly NodeReport[];
}

function failedNode(nodeId: string, cause: ApiError): Record<string, unknown> {
  return renderCause(errors.failedNode(`Failed node [${nodeId}]`, { meta: { node_id: nodeId }, cause }));
}

/** Requests `info` or `stats` of nodes: of this node directly, of others over their links, within `timeoutMs`. */
export async function askNodes(
  services: Services,
  nodes: readonly NodeInfo[],
  what: 'info' | 'stats',
  timeoutMs: number | null = null,
): Promise<NodeReports> {
  const others = nodes.filter((node) => node.id !== services.node.id);
  const isAsked = others.length < nodes.length;
  const [own, answers] = await Promise.all([
    isAsked ? services.node[what]() : null,
    others.length === 0
      ? []
      : services.coordinator.callNodes(
          others.map((node) => node.id),
          what,
          {},
          timeoutMs === null ? {} : { timeoutMs },
        ),
  ]);
  return reportsOf(nodes, own === null ? answers : [...answers, { nodeId: services.node.id, body: own, error: null }]);
}

/** Reports from the answers of nodes, in the order of `nodes`; errors become failures of the header. */
export function reportsOf(
  nodes: readonly NodeInfo[],
  answers: readonly { readonly nodeId: string; readonly body: unknown; readonly error: ApiError | null }[],
): NodeReports {
  const byNode = new Map(answers.map((answer) => [answer.nodeId, answer]));
  const failures = answers.flatMap((answer) => (answer.error ? [failedNode(answer.nodeId, answer.error)] : []));
  const reports = nodes.flatMap((node): NodeReport[] => {
    const answer = byNode.get(node.id);
    return answer && !answer.error ? [{ node, json: answer.body as Record<string, unknown> }] : [];
  });
  const header = {
    total: nodes.length,
    successful: reports.length,
    failed: failures.length,
    ...(failures.length > 0 ? { failures } : {}),
  };
  return { header, reports };
}

const LETTERS: Readonly<Record<string, string>> = {
  data: 'd',
  data_cold: 'c',
  data_content: 's',
  data_frozen: 'f',
  data_hot: 'h',
  data_warm: 'w',
  ingest: 'i',
  master: 'm',
  ml: 'l',
  remote_cluster_client: 'r',
  transform: 't',
  voting_only: 'v',
};

/** Role letters `cdfhilmrstw`; `-` for a node without roles. */
export function roleLetters(node: NodeInfo): string {
  return node.roles.length === 0
    ? '-'
    : node.roles
        .map((role) => LETTERS[role] ?? '')
        .sort()
        .join('');
}

/** A node id as `_cat` tables show it: four characters, unless `full`. */
export function shortId(id: string, full: boolean): string {
  return full ? id : id.slice(0, 4);
}
