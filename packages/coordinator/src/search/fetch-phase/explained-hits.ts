import { Buffer } from 'node:buffer';
import { shardPlaces } from './shard-places.js';

const SHARD = '"_shard":';
/** How a hit with an explanation begins: shards name themselves first. */
const HEAD = Buffer.from(`{${SHARD}`);
const END = Buffer.from('",');
/** How a hit ends that has inner hits: they come last. */
const INNER_END = Buffer.from(']}}}}');

/**
 * Adds the node that answered to hits that are explained, inner ones too, behind their shard, as Elasticsearch does.
 * Shards do not know their node. Other hits are returned as they are.
 */
export function withNode(hits: readonly Uint8Array[], nodeId: string): readonly Uint8Array[] {
  const [first] = hits;
  if (first === undefined || !(startsWith(first, HEAD) || hits.some(mayHaveInner))) return hits;
  const node = Buffer.from(`"_node":${JSON.stringify(nodeId)},`);
  return hits.map((hit) => named(hit, node));
}

const mayHaveInner = (hit: Uint8Array): boolean =>
  hit.length > INNER_END.length && INNER_END.every((byte, i) => hit[hit.length - INNER_END.length + i] === byte);

function named(hit: Uint8Array, node: Uint8Array): Uint8Array {
  const bytes = Buffer.from(hit.buffer, hit.byteOffset, hit.length);
  const own = startsWith(hit, HEAD) ? [HEAD.length] : [];
  // Only explained hits are read byte by byte.
  const places = mayHaveInner(hit) && bytes.includes(SHARD) ? shardPlaces(bytes) : own;
  if (places.length === 0) return hit;
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const place of places) {
    const at = bytes.indexOf(END, place) + END.length;
    parts.push(bytes.subarray(from, at), node);
    from = at;
  }
  return Buffer.concat([...parts, bytes.subarray(from)]);
}

const startsWith = (bytes: Uint8Array, head: Uint8Array): boolean =>
  bytes.length > head.length && head.every((byte, i) => bytes[i] === byte);
