import { INDEX_VERSION, INDEX_VERSION_MIN } from '@shoal/values';
import type { NodeInfo } from './state.js';

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

/** Prints a node as Elasticsearch does in messages: names and ids, addresses, roles, versions, attributes. */
export function describeNode(node: NodeInfo): string {
  const roles = node.roles
    .map((role) => LETTERS[role] ?? '')
    .sort()
    .join('');
  const attributes = Object.entries(node.attributes)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
  const parts = [
    node.name,
    node.id,
    node.ephemeralId,
    node.name,
    node.host,
    node.transportAddress,
    roles,
    node.version,
    `${INDEX_VERSION_MIN}-${INDEX_VERSION}`,
  ];
  return `${parts.map((part) => `{${part}}`).join('')}${attributes === '' ? '' : `{${attributes}}`}`;
}

/** Renders a node as answers list it under its id: names, address, roles in order, the version of this node. */
export function nodeJson(node: NodeInfo): Record<string, unknown> {
  return {
    name: node.name,
    ephemeral_id: node.ephemeralId,
    transport_address: node.transportAddress,
    external_id: node.name,
    attributes: node.attributes,
    roles: [...node.roles].sort(),
    version: node.version,
    min_index_version: INDEX_VERSION_MIN,
    max_index_version: INDEX_VERSION,
  };
}
