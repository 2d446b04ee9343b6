import { type ApiError, errors } from '@shoal/errors';

/** The cursor of a scroll and the node that keeps it. */
export interface ScrollId {
  readonly nodeId: string;
  /** Id of the run of the node: cursors do not survive a restart. */
  readonly session: string;
  readonly cursor: number;
  /** Number of shards that the scroll reads: each of them misses its context once the scroll is gone. */
  readonly shards: number;
}

/** Marker at the start of the scroll ids of Elasticsearch, after a length. */
const MARKER = 'include_context_uuid';
const SHAPE = /^\x14include_context_uuid([^\x00]{1,64})\x00([^\x00]{1,64})\x00(\d{1,15})(?:\x00(\d{1,4}))?$/;

/** Largest number of shards that an id tells. */
const SHARDS_MAX = 9999;

/** Encodes a scroll id as opaque text. */
export function encodeScrollId(id: ScrollId): string {
  return Buffer.from(
    `\x14${MARKER}${id.nodeId}\x00${id.session}\x00${id.cursor}\x00${Math.min(id.shards, SHARDS_MAX)}`,
    'latin1',
  ).toString('base64');
}

/** Six bits that are left over are no byte. */
const unreadable = (text: string): ApiError =>
  /^[\w+/-]*$/.test(text) && text.length % 4 === 1
    ? errors.ioError('Base64 stream has one un-decoded dangling byte.')
    : errors.eof(null);

/** Decodes a scroll id. Throws illegal_argument_exception for other texts. */
export function decodeScrollId(text: string): ScrollId {
  const match = SHAPE.exec(Buffer.from(text, 'base64').toString('latin1'));
  if (!match) throw errors.illegalArgument('Cannot parse scroll id', { cause: unreadable(text), isTampered: true });
  return { nodeId: match[1]!, session: match[2]!, cursor: Number(match[3]), shards: Number(match[4] ?? 1) };
}
