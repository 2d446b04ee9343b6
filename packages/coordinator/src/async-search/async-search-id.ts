import { errors } from '@shoal/errors';

/** Names an asynchronous search: its document in the index, and the node that runs or ran it. */
export interface AsyncSearchId {
  readonly docId: string;
  readonly nodeId: string;
}

/** Returns the id that clients get. They must not read anything from it. */
export function encodeAsyncSearchId({ docId, nodeId }: AsyncSearchId): string {
  return Buffer.from(JSON.stringify([docId, nodeId])).toString('base64url');
}

/** Throws illegal_argument_exception for a text that is no id. */
export function decodeAsyncSearchId(text: string): AsyncSearchId {
  const [docId, nodeId] = partsOf(Buffer.from(text, 'base64url').toString());
  if (typeof docId !== 'string' || typeof nodeId !== 'string') throw errors.illegalArgument(`invalid id: [${text}]`);
  return { docId, nodeId };
}

function partsOf(json: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(json);
    return Array.isArray(parsed) && parsed.length === 2 ? parsed : [];
  } catch {
    return [];
  }
}
