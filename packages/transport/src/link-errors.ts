import { type ApiError, errors } from '@shoal/errors';
import type { CloseHow, HelloFacts } from './types.js';

/** `{name}{id}{ephemeral id}{name}{host}{address}`: how Elasticsearch writes a node. */
export function describeNode(node: HelloFacts): string {
  const host = node.transportAddress.slice(0, node.transportAddress.lastIndexOf(':'));
  return `{${node.name}}{${node.nodeId}}{${node.ephemeralId}}{${node.name}}{${host}}{${node.transportAddress}}`;
}

const place = (node: HelloFacts): string => `[${node.name}][${node.transportAddress}]`;

export function nodeDisconnected(peer: HelloFacts, action: string): ApiError {
  return errors.nodeDisconnected(`${place(peer)}[${action}] disconnected`);
}

export function nodeNotConnected(peer: HelloFacts): ApiError {
  return errors.nodeNotConnected(`${place(peer)} Node not connected`);
}

export function receiveTimeout(peer: HelloFacts, action: string, id: number, timeoutMs: number): ApiError {
  return errors.receiveTimeoutTransport(`${place(peer)}[${action}] request_id [${id}] timed out after [${timeoutMs}ms]`);
}

/** Why a dial failed; the reason of a failed handshake is its cause. */
export function connectFailed(address: string, how: CloseHow, timeoutMs: number): ApiError {
  const reason = how.kind === 'silent' ? `connect_timeout[${timeoutMs}ms]` : how.kind === 'refused' ? 'connect_exception' : 'handshake failed';
  return errors.connectTransport(`[][${address}] ${reason}`, { cause: errors.illegalState(how.reason) });
}
