import { errors } from '@shoal/errors';

/** The cursor of a scroll and the node that keeps it. */
export interface ScrollId {
  readonly nodeId: string;
  /** Id of the run of the node: cursors do not survive a restart. */
  readonly session: string;
  readonly cursor: number;
}

/** Marker at the start of the scroll ids of Elasticsearch, after a length. */
const MARKER = 'include_context_uuid';
const SHAPE = /^\x14include_context_uuid([^\x00]{1,64})\x00([^\x00]{1,64})\x00(\d{1,15})$/;

/** Encodes a scroll id as opaque text. */
export function encodeScrollId(id: ScrollId): string {
  return Buffer.from(`\x14${MARKER}${id.nodeId}\x00${id.session}\x00${id.cursor}`, 'latin1').toString('base64');
}

/** Decodes a scroll id. Throws illegal_argument_exception for other texts. */
export function decodeScrollId(text: string): ScrollId {
  const match = SHAPE.exec(Buffer.from(text, 'base64').toString('latin1'));
  if (!match) throw errors.illegalArgument('Cannot parse scroll id', { cause: errors.eof(null), isTampered: true });
  return { nodeId: match[1]!, session: match[2]!, cursor: Number(match[3]) };
}
