import { describeNode } from './link-errors.js';
import { type HandshakeSide, membershipProblem } from './membership.js';
import type { HelloFacts, LinkMembership } from './types.js';

/** From this protocol version on, the head of a request contains its version and shard. */
export const SHARD_IN_HEAD = 2;

/** The newest message version that both nodes speak. Neither may have refused the other before. */
export function agreedVersion(local: HelloFacts, remote: HelloFacts): number {
  return Math.min(local.protocolMax, remote.protocolMax);
}

/** Why `local` must not be linked with `remote`, naming both; null if it may. Both sides check the other. */
export function refusal(local: HelloFacts, remote: HandshakeSide, membership: LinkMembership | null): string | null {
  const problem = mismatch(local, remote.facts) ?? membershipProblem(membership, remote);
  return problem === null ? null : refusalText(local, remote.facts, problem);
}

/** The text of a refusal, with both nodes. */
export const refusalText = (local: HelloFacts, remote: HelloFacts, problem: string): string =>
  `handshake of ${describeNode(local)} with [${describeNode(remote)}] failed: ${problem}`;

function mismatch(local: HelloFacts, remote: HelloFacts): string | null {
  if (remote.clusterName !== local.clusterName) {
    return `remote cluster name [${remote.clusterName}] does not match local cluster name [${local.clusterName}]`;
  }
  if (remote.protocolMin > local.protocolMax || remote.protocolMax < local.protocolMin) {
    return (
      `remote node version [${remote.version}] is incompatible with local node version [${local.version}]: ` +
      `protocol [${remote.protocolMin}-${remote.protocolMax}] against [${local.protocolMin}-${local.protocolMax}]`
    );
  }
  if (remote.nodeId === '' || remote.ephemeralId === '') return 'remote node has no id';
  if (remote.ephemeralId === local.ephemeralId) return 'local node found';
  if (remote.nodeId === local.nodeId)
    return `found existing node ${describeNode(remote)} with the same id but is a different node instance`;
  if (remote.clusterUuid !== null && local.clusterUuid !== null && remote.clusterUuid !== local.clusterUuid) {
    return `remote cluster UUID [${remote.clusterUuid}] does not match local cluster UUID [${local.clusterUuid}]`;
  }
  return null;
}
