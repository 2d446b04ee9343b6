import { configError, type UsedProcessor, usedProcessors } from '@shoal/ingest';
import { isPlainObject, type JsonObject } from '@shoal/json';
import type { NodeInfo } from '@shoal/state';
import { callNodes } from '../admin/broadcast.js';
import type { CoordinatorContext } from '../context.js';

/** How long other nodes have to tell their processors. One that does not answer is not asked again. */
const ASK_MS = 30_000;

function typesOf(info: unknown): ReadonlySet<unknown> | null {
  const ingest = isPlainObject(info) ? info['ingest'] : null;
  const processors = isPlainObject(ingest) ? ingest['processors'] : null;
  if (!Array.isArray(processors)) return null;
  return new Set(processors.map((one: unknown) => (isPlainObject(one) ? one['type'] : null)));
}

function notInstalled(node: NodeInfo, { type, tag }: UsedProcessor): Error {
  const shown = `{${node.name}}{${node.id}}{${node.ephemeralId}}{${node.host}}{${node.transportAddress}}`;
  return configError(type, tag, null, `Processor type [${type}] is not installed on node [${shown}]`);
}

/**
 * Checks that the other ingest nodes have the processors of a pipeline: a node of an older version may lack one.
 * Throws the parse_exception of the first that a node lacks.
 */
export async function checkProcessors(context: CoordinatorContext, body: JsonObject): Promise<void> {
  const { nodes } = context.cluster.state();
  const others = [...nodes.values()].filter(({ id, roles }) => roles.includes('ingest') && id !== context.localNodeId);
  if (others.length === 0) return;
  const ids = others.map(({ id }) => id);
  const used = usedProcessors(body);
  for (const answer of await callNodes(context, ids, 'info', {}, { timeoutMs: ASK_MS })) {
    const known = typesOf(answer.body);
    const absent = known === null ? undefined : used.find(({ type }) => !known.has(type));
    if (absent !== undefined) throw notInstalled(nodes.get(answer.nodeId)!, absent);
  }
}
