import type { NodeInfo } from '@shoal/state';
import type { HelloFacts } from '@shoal/transport';

/** Version of the messages between nodes; two nodes need one in common. */
const PROTOCOL = 1;

/** What a node says about itself when a link is opened. */
export function helloOf(node: NodeInfo, clusterName: string, clusterUuid: string | null): HelloFacts {
  return {
    clusterName,
    clusterUuid,
    nodeId: node.id,
    ephemeralId: node.ephemeralId,
    name: node.name,
    roles: node.roles,
    version: node.version,
    protocolMin: PROTOCOL,
    protocolMax: PROTOCOL,
    transportAddress: node.transportAddress,
    dataAddress: node.dataAddress ?? node.transportAddress,
    httpAddress: node.httpAddress,
    attributes: new Map(Object.entries(node.attributes)),
  };
}
