import { Buffer } from 'node:buffer';

/** How a hit with an explanation begins: shards name themselves first. */
const HEAD = Buffer.from('{"_shard":');
const END = Buffer.from('",');

/**
 * Adds the node that answered to hits that are explained, behind their shard, as Elasticsearch does. Shards do not know
 * their node. Other hits are returned as they are.
 */
export function withNode(hits: readonly Uint8Array[], nodeId: string): readonly Uint8Array[] {
  const [first] = hits;
  if (first === undefined || !startsWith(first, HEAD)) return hits;
  const node = Buffer.from(`"_node":${JSON.stringify(nodeId)},`);
  return hits.map((hit) => {
    const bytes = Buffer.from(hit.buffer, hit.byteOffset, hit.length);
    const at = bytes.indexOf(END, HEAD.length) + END.length;
    return Buffer.concat([bytes.subarray(0, at), node, bytes.subarray(at)]);
  });
}

const startsWith = (bytes: Uint8Array, head: Uint8Array): boolean =>
  bytes.length > head.length && head.every((byte, i) => bytes[i] === byte);
