import { decodeValue, encodeValue } from '@shoal/codec';
import { errors } from '@shoal/errors';
import type { TargetShard } from '../targets/search-targets.js';

/** Version of the layout of the id. */
const LAYOUT = 1;

/** Makes the id of a point in time. It contains all reader contexts with their nodes, so that any node can serve it. */
export function encodePointInTime(targets: readonly TargetShard[]): string {
  const rows = targets.map((target) => [
    target.indexName,
    target.indexUuid,
    target.shard,
    target.nodeIds[0]!,
    target.reader,
    target.filter ?? null,
    target.boost,
    target.shards,
  ]);
  return Buffer.from(encodeValue([LAYOUT, rows])).toString('base64url');
}

function unreadable(): never {
  throw errors.illegalArgument('java.io.EOFException', { cause: errors.eof(null), isTampered: true });
}

function row(value: unknown): TargetShard {
  if (!Array.isArray(value) || value.length !== 8) unreadable();
  const [indexName, indexUuid, shard, nodeId, reader, filter, boost, shards] = value as [
    string,
    string,
    number,
    string,
    string,
    Uint8Array | null,
    number,
    number,
  ];
  return { indexName, indexUuid, shard, filter: filter ?? undefined, boost, nodeIds: [nodeId], reader, shards };
}

/** Returns the shards of a point in time. Throws illegal_argument_exception if the id is not one of this program. */
export function decodePointInTime(id: string): TargetShard[] {
  let decoded: unknown;
  try {
    decoded = decodeValue(Buffer.from(id, 'base64url'));
  } catch {
    unreadable();
  }
  if (!Array.isArray(decoded) || decoded[0] !== LAYOUT || !Array.isArray(decoded[1])) unreadable();
  return decoded[1].map(row);
}
