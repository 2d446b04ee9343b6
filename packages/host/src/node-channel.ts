import type { Channel } from '@shoal/doors';

/** Links between nodes, by what goes over them. */
export type NodeLink = 'data' | 'recovery';

/** Reaches another node by way of this node's main thread, which has the links. */
export function nodeChannel(main: Channel, nodeId: string, link: NodeLink): Channel {
  return { request: (action, payload, options) => main.request(`to/${link}/${nodeId}/${action}`, payload, options) };
}

/** The node, link and action of a message that `nodeChannel` sent; null for another one. */
export function nodeTarget(
  action: string,
): { readonly nodeId: string; readonly link: NodeLink; readonly action: string } | null {
  const match = /^to\/(data|recovery)\/([^/]+)\/(.+)$/.exec(action);
  return match && { link: match[1] as NodeLink, nodeId: match[2]!, action: match[3]! };
}
