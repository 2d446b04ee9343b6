import { type ApiError, errors } from '@shoal/errors';
import type { CloseHow, HelloFacts } from './types.js';

/** A node in Elasticsearch's form: `{name}{id}{ephemeral id}{name}{host}{address}`. */
export function describeNode(node: HelloFacts): string {
  const host = node.transportAddress.slice(0, node.transportAddress.lastIndexOf(':'));
  return `{${node.name}}{${node.nodeId}}{${node.ephemeralId}}{${node.name}}{${host}}{${node.transportAddress}}`;
}

/** The facts of a node that errors contain. */
type NodeFacts = Pick<HelloFacts, 'name' | 'transportAddress'>;

const place = (node: NodeFacts): string => `[${node.name}][${node.transportAddress}]`;

/** The link was lost while a request waited for its answer. */
export function nodeDisconnected(peer: NodeFacts, action: string): ApiError {
  return errors.nodeDisconnected(`${place(peer)}[${action}] disconnected`);
}

/** There is no link to the node. */
export function nodeNotConnected(peer: NodeFacts): ApiError {
  return errors.nodeNotConnected(`${place(peer)} Node not connected`);
}

/** A request was not answered in time. */
export function receiveTimeout(peer: NodeFacts, action: string, id: number, timeoutMs: number): ApiError {
  return errors.receiveTimeoutTransport(
    `${place(peer)}[${action}] request_id [${id}] timed out after [${timeoutMs}ms]`,
  );
}

/** Error of a failed dial; its cause is the reason of a failed handshake. */
export function connectFailed(address: string, how: CloseHow, timeoutMs: number): ApiError {
  const reason =
    how.kind === 'silent'
      ? `connect_timeout[${timeoutMs}ms]`
      : how.kind === 'refused'
        ? 'connect_exception'
        : 'handshake failed';
  return errors.connectTransport(`[][${address}] ${reason}`, { cause: errors.illegalState(how.reason) });
}
