import { formatTimeValue } from '@shoal/values';

/** Texts of Elasticsearch 8.12 on what happens to a copy and what to do about it. */
export const ALLOCATE = {
  yes: 'Elasticsearch can allocate the shard.',
  throttled:
    'Elasticsearch is currently busy with other activities. It expects to be able to allocate this shard when ' +
    'those activities finish. Please wait.',
  awaitingInfo:
    'Elasticsearch is retrieving information about this shard from one or more nodes. It will make an allocation ' +
    'decision after it receives this information. Please wait.',
  no:
    "Elasticsearch isn't allowed to allocate this shard to any of the nodes in the cluster. Choose a node to which " +
    'you expect this shard to be allocated, find this node in the node-by-node explanation, and address the ' +
    'reasons which prevent Elasticsearch from allocating this shard there.',
  noCopyAllowed:
    "Elasticsearch isn't allowed to allocate this shard to any of the nodes in the cluster that hold an in-sync " +
    'copy of its data. Choose a node to which you expect this shard to be allocated, find this node in the ' +
    'node-by-node explanation, and address the reasons which prevent Elasticsearch from allocating this shard ' +
    'there.',
  noCopies:
    "Elasticsearch can't allocate this shard because there are no copies of its data in the cluster. Elasticsearch " +
    'will allocate this shard when a node holding a good copy of its data joins the cluster. If no such node is ' +
    'available, restore this index from a recent snapshot.',
  staleCopies:
    "Elasticsearch can't allocate this shard because all the copies of its data in the cluster are stale or " +
    'corrupt. Elasticsearch will allocate this shard when a node containing a good copy of its data joins the ' +
    'cluster. If no such node is available, restore this index from a recent snapshot.',
} as const;

const LEFT =
  'The node containing this shard copy recently left the cluster. Elasticsearch is waiting for it to return.';

/** Text for a copy that waits for the return of its node. */
export function delayedText(remainingMs: number, hasOtherNode: boolean): string {
  const within = `If the node does not return within [${formatTimeValue(remainingMs)}] then Elasticsearch will`;
  return hasOtherNode
    ? `${LEFT} ${within} allocate this shard to another node. Please wait.`
    : `${LEFT} ${within} attempt to allocate this shard to another node, but it cannot be allocated to any other ` +
        'node currently. Please wait.';
}

/** Texts on a copy that may not stay on its node. */
export const MOVE = {
  yes: 'This shard may not remain on its current node. Elasticsearch will move it to another node.',
  throttled:
    'This shard may not remain on its current node. Elasticsearch is currently busy with other activities and will ' +
    'move this shard to another node when those activities finish. Please wait.',
  no:
    "This shard may not remain on its current node, but Elasticsearch isn't allowed to move it to another node. " +
    'Choose a node to which you expect this shard to be allocated, find this node in the node-by-node explanation, ' +
    'and address the reasons which prevent Elasticsearch from allocating this shard there.',
} as const;

/** Texts on a copy that may move for balance. */
export const REBALANCE = {
  yes: 'Elasticsearch can rebalance this shard to another node.',
  balanced:
    'This shard is in a well-balanced location and satisfies all allocation rules so it will remain on this node. ' +
    'Elasticsearch cannot improve the cluster balance by moving it to another node. If you expect this shard to be ' +
    'rebalanced to another node, find the other node in the node-by-node explanation and address the reasons which ' +
    'prevent Elasticsearch from rebalancing this shard there.',
  clusterThrottled:
    'Elasticsearch is currently busy with other activities. It will rebalance this shard when those activities ' +
    'finish. Please wait.',
  nodeThrottled:
    'Elasticsearch is attempting to rebalance this shard to another node, but the nodes involved are currently ' +
    'busy with other activities. The shard will be rebalanced when those activities finish. Please wait.',
  allowedElsewhere:
    "Elasticsearch is allowed to allocate this shard on another node but it isn't allowed to rebalance the shard " +
    'there. If you expect this shard to be rebalanced to another node, find this node in the node-by-node ' +
    'explanation and address the reasons which prevent Elasticsearch from rebalancing this shard there.',
  no:
    'Elasticsearch is not allowed to allocate or rebalance this shard to another node. If you expect this shard to ' +
    'be rebalanced to another node, find this node in the node-by-node explanation and address the reasons which ' +
    'prevent Elasticsearch from rebalancing this shard there.',
} as const;
