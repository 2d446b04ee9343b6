import type { NodeInfo } from '@shoal/state';
import { PROTOCOL_VERSIONS } from '@shoal/protocol';
import type { HelloFacts } from '@shoal/transport';

/** Builds the facts that a node sends in the handshake of a link. */
export function helloOf(node: NodeInfo, clusterName: string, clusterUuid: string | null): HelloFacts {
  return {
    clusterName,
    clusterUuid,
    nodeId: node.id,
    ephemeralId: node.ephemeralId,
    name: node.name,
    roles: node.roles,
    version: node.version,
    protocolMin: PROTOCOL_VERSIONS.min,
    protocolMax: PROTOCOL_VERSIONS.max,
    transportAddress: node.transportAddress,
    dataAddress: node.dataAddress ?? node.transportAddress,
    httpAddress: node.httpAddress,
    attributes: new Map(Object.entries(node.attributes)),
  };
}
