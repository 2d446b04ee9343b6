import type { Clock, Log, LogFields } from '@shoal/doors';
import type { HelloFacts, PeerEvent, Transport, TransportHandler } from '../types.js';

/** A node of a test. */
export interface NodeSpec {
  readonly id: string;
  readonly handler?: TransportHandler;
  readonly facts?: Partial<HelloFacts>;
  readonly onPeer?: (event: PeerEvent) => void;
}

/** Where the contract of transports is tested: one network with a clock of its own. */
export interface World {
  readonly clock: Clock;
  readonly log: Log;
  /** Log lines so far. */
  readonly lines: readonly { readonly level: string; readonly message: string; readonly fields: LogFields }[];
  open(node: NodeSpec): Promise<Transport>;
  /** What others dial to get to a transport. */
  addressOf(transport: Transport): string;
  /** Breaks all connections. */
  sever(): void;
  /** From now on nothing arrives anywhere. */
  silence(): void;
  /** Lets time pass until the promise settles. */
  pass<T>(promise: Promise<T>): Promise<T>;
  /** Lets time pass until the condition holds. */
  until(condition: () => boolean): Promise<void>;
  close(): Promise<void>;
}

/** Facts of a node of a test; what matters is given. */
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

/** The bytes as the answer. */
export const echo: TransportHandler = async (_from, _action, payload) => payload;
