import { type ApiError, errors } from '@shoal/errors';
import type { CloseHow, HelloFacts } from './types.js';

/** `{name}{id}{ephemeral id}{name}{host}{address}`: how Elasticsearch writes a node. */
export function describeNode(node: HelloFacts): string {
  const host = node.transportAddress.slice(0, node.transportAddress.lastIndexOf(':'));
  return `{${node.name}}{${node.nodeId}}{${node.ephemeralId}}{${node.name}}{${host}}{${node.transportAddress}}`;
}

/** What an error says about the node it is about. */
type Named = Pick<HelloFacts, 'name' | 'transportAddress'>;

const place = (node: Named): string => `[${node.name}][${node.transportAddress}]`;

export function nodeDisconnected(peer: Named, action: string): ApiError {
  return errors.nodeDisconnected(`${place(peer)}[${action}] disconnected`);
}

export function nodeNotConnected(peer: Named): ApiError {
  return errors.nodeNotConnected(`${place(peer)} Node not connected`);
}

export function receiveTimeout(peer: Named, action: string, id: number, timeoutMs: number): ApiError {
  return errors.receiveTimeoutTransport(
    `${place(peer)}[${action}] request_id [${id}] timed out after [${timeoutMs}ms]`,
  );
}

/** Why a dial failed; the reason of a failed handshake is its cause. */
export function connectFailed(address: string, how: CloseHow, timeoutMs: number): ApiError {
  const reason =
    how.kind === 'silent'
      ? `connect_timeout[${timeoutMs}ms]`
      : how.kind === 'refused'
        ? 'connect_exception'
        : 'handshake failed';
  return errors.connectTransport(`[][${address}] ${reason}`, { cause: errors.illegalState(how.reason) });
}
