import { sendMessage } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { IngestBatch, IngestedItem, IngestItem } from '@shoal/ingest';
import type { JsonObject } from '@shoal/json';
import { coordinator } from '@shoal/protocol';
import { section } from '@shoal/state';
import { type CallContext, endingWith } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import { ingestRequest, ingestResponse, itemsOf, resultsOf, userOf } from './ingest-messages.js';
import { ingestUser } from './ingest-user.js';
import { pipelinesOfIndex } from './resolve-pipelines.js';

/**
 * Runs the pipelines of documents: on this node if it has the role `ingest`, else on any that has it. Rejects
 * with illegal_state_exception if there is none.
 */
export async function runPipelines(
  context: CoordinatorContext,
  items: readonly IngestItem[],
  call: CallContext,
): Promise<IngestedItem[]> {
  const user = ingestUser(call.subject);
  if (hasIngestRole(context, context.localNodeId))
    return context.ingest.run(batchOf(context, items, user), call.signal);
  const nodes = [...context.cluster.state().nodes.keys()].filter((id) => hasIngestRole(context, id));
  if (nodes.length === 0) {
    throw errors.illegalState(
      'There are no ingest nodes in this cluster, unable to forward request to an ingest node.',
    );
  }
  const node = nodes[Math.floor(context.random.next() * nodes.length)]!;
  const { ingest } = coordinator.methods;
  return resultsOf(await sendMessage(context.channel(node), ingest, ingestRequest(items, user), endingWith(call)));
}

/** Runs the pipelines of documents for another node. */
export async function answerIngest(
  context: CoordinatorContext,
  request: coordinator.IngestRequest,
  signal: AbortSignal,
): Promise<coordinator.IngestResponse> {
  return ingestResponse(await context.ingest.run(batchOf(context, itemsOf(request), userOf(request)), signal));
}

/** The local node counts as one with the role until the cluster state has it. */
function hasIngestRole({ cluster, localNodeId }: CoordinatorContext, nodeId: string): boolean {
  const node = cluster.state().nodes.get(nodeId);
  return node === undefined ? nodeId === localNodeId : node.roles.includes('ingest');
}

function batchOf(
  { cluster, clock }: CoordinatorContext,
  items: readonly IngestItem[],
  user: JsonObject | null,
): IngestBatch {
  const state = cluster.state();
  return {
    pipelines: section(state, 'pipelines'),
    items,
    user,
    pipelinesOf: (index) => pipelinesOfIndex(state, index, clock.now()),
  };
}
