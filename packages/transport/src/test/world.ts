import type { Clock, Log, LogFields } from '@shoal/doors';
import type { HelloFacts, LinkMembership, PeerEvent, Transport, TransportHandler } from '../types.js';

/** A node of a test. */
export interface NodeSpec {
  readonly id: string;
  readonly handler?: TransportHandler;
  readonly facts?: Partial<HelloFacts>;
  readonly membership?: LinkMembership;
  readonly onPeer?: (event: PeerEvent) => void;
}

/** A network with its clock on which the contract of transports is tested. */
export interface World {
  readonly clock: Clock;
  readonly log: Log;
  /** Log lines so far. */
  readonly lines: readonly { readonly level: string; readonly message: string; readonly fields: LogFields }[];
  open(node: NodeSpec): Promise<Transport>;
  /** Returns the address that others dial to reach a transport. */
  addressOf(transport: Transport): string;
  /** Breaks all connections. */
  sever(): void;
  /** Stops the delivery of all packets. */
  silence(): void;
  /** Passes time until the promise settles. */
  pass<T>(promise: Promise<T>): Promise<T>;
  /** Passes time until the condition holds. */
  until(condition: () => boolean): Promise<void>;
  close(): Promise<void>;
}

/** Creates the facts of a test node, with defaults for the omitted ones. */
export function factsOfNode({ id, facts }: NodeSpec): HelloFacts {
  return {
    clusterName: 'c',
    clusterUuid: null,
    nodeId: id,
    ephemeralId: `${id}-1`,
    name: `name-${id}`,
    roles: ['master', 'data'],
    version: '8.12.0',
    protocolMin: 1,
    protocolMax: 2,
    transportAddress: `${id}:9300`,
    dataAddress: `${id}:9400`,
    httpAddress: null,
    attributes: new Map(),
    ...facts,
  };
}

/** A log that keeps its lines. */
export function keepingLog(): { log: Log; lines: { level: string; message: string; fields: LogFields }[] } {
  const lines: { level: string; message: string; fields: LogFields }[] = [];
  return { lines, log: { write: (level, message, fields = {}) => void lines.push({ level, message, fields }) } };
}

/** Answers with the request's payload. */
export const echo: TransportHandler = async (_from, _action, payload) => payload;
