import type { Channel } from '@shoal/doors';

/** Classes of links between nodes, as far as shards use them. */
export type NodeLink = 'data' | 'recovery';

/** Creates a channel to another node through this node's main thread, which has the links. */
export function nodeChannel(main: Channel, nodeId: string, link: NodeLink): Channel {
  return { request: (action, payload, options) => main.request(`to/${link}/${nodeId}/${action}`, payload, options) };
}

/** Parses node, link and action of a message that `nodeChannel` sent; null for other messages. */
export function nodeTarget(
  action: string,
): { readonly nodeId: string; readonly link: NodeLink; readonly action: string } | null {
  const match = /^to\/(data|recovery)\/([^/]+)\/(.+)$/.exec(action);
  return match && { link: match[1] as NodeLink, nodeId: match[2]!, action: match[3]! };
}
