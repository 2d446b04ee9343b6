import type { Files } from '@shoal/doors';
import { errors } from '@shoal/errors';

/** Content of the file `node.id`. */
export interface NodeIdFile {
  readonly nodeId: string;
  /** Whether the node has ever synced a record of its state log. From then on a folder without them is damaged. */
  readonly hasState: boolean;
}

const STATE_LINE = 'state';

/** Returns the content of `node.id` as text: the id, and a line `state` once the node has a state log. */
export const formatNodeId = ({ nodeId, hasState }: NodeIdFile): string =>
  `${nodeId}\n${hasState ? `${STATE_LINE}\n` : ''}`;

/** Reads the content of `node.id`; null if it is damaged. */
export function parseNodeId(text: string): NodeIdFile | null {
  const [, nodeId, state] = /^([\w-]+)(?:\n(state)?\n?)?$/.exec(text) ?? [];
  return nodeId === undefined ? null : { nodeId, hasState: state === STATE_LINE };
}

/** Remembers in `node.id` that the node's state log has a record. */
export interface StateSeal {
  readonly isSealed: boolean;
  /** Resolves once the seal survives power loss. Rejects with the device's error. */
  seal(): Promise<void>;
}

/** Reads the seal of a node's folder. Throws corrupt_index_exception if `node.id` is damaged or of another node. */
export async function openStateSeal(files: Files, path: string, nodeId: string): Promise<StateSeal> {
  const content = await files.read(path);
  const found = content === null ? { nodeId, hasState: false } : parseNodeId(Buffer.from(content).toString('utf8'));
  if (found === null || found.nodeId !== nodeId)
    throw errors.corruption(`[${path}] does not hold the id of this node, [${nodeId}]`);
  let isSealed = found.hasState;
  return {
    get isSealed() {
      return isSealed;
    },
    async seal() {
      if (isSealed) return;
      await files.replace(path, Buffer.from(formatNodeId({ nodeId, hasState: true })));
      isSealed = true;
    },
  };
}
