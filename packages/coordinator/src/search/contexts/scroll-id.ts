import { errors } from '@shoal/errors';

/** A scroll's cursor and the node that keeps it. */
export interface ScrollId {
  readonly nodeId: string;
  /** Start of the node: after the next one its cursors are others. */
  readonly session: string;
  readonly cursor: number;
}

/** Elasticsearch's scroll ids begin with these bytes, a length and a marker. */
const MARKER = 'include_context_uuid';
const SHAPE = /^\x14include_context_uuid([^\x00]{1,64})\x00([^\x00]{1,64})\x00(\d{1,15})$/;

/** An opaque id. */
export function encodeScrollId(id: ScrollId): string {
  return Buffer.from(`\x14${MARKER}${id.nodeId}\x00${id.session}\x00${id.cursor}`, 'latin1').toString('base64');
}

/** Throws illegal_argument_exception for what is not a scroll id. */
export function decodeScrollId(text: string): ScrollId {
  const match = SHAPE.exec(Buffer.from(text, 'base64').toString('latin1'));
  if (!match) throw errors.illegalArgument('Cannot parse scroll id', { cause: errors.eof(null), isTampered: true });
  return { nodeId: match[1]!, session: match[2]!, cursor: Number(match[3]) };
}
