import { errors } from '@shoal/errors';

/** Names an asynchronous search: its document in the index, and the node and task that ran or run it. */
export interface AsyncSearchId {
  readonly docId: string;
  readonly nodeId: string;
  readonly taskId: number;
}

/** Returns the id that clients get. They must not read anything from it. */
export function encodeAsyncSearchId({ docId, nodeId, taskId }: AsyncSearchId): string {
  return Buffer.from(JSON.stringify([docId, nodeId, taskId])).toString('base64url');
}

/** Throws illegal_argument_exception for a text that is no id. */
export function decodeAsyncSearchId(text: string): AsyncSearchId {
  const parts = parts3(Buffer.from(text, 'base64url').toString());
  const [docId, nodeId, taskId] = parts;
  if (typeof docId !== 'string' || typeof nodeId !== 'string' || !Number.isSafeInteger(taskId))
    throw errors.illegalArgument(`invalid id: [${text}]`);
  return { docId, nodeId, taskId: taskId as number };
}

function parts3(json: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(json);
    return Array.isArray(parsed) && parsed.length === 3 ? parsed : [];
  } catch {
    return [];
  }
}
