import { isSpaceError, type Clock, type Log } from '@shoal/doors';
import { type AcceptedState, type DurableState, EMPTY_DURABLE_STATE } from '@shoal/consensus';
import { errors } from '@shoal/errors';
import { type ClusterState, emptyState } from '@shoal/state';
import { decodeStateBody, digestOf, encodeStateBody, type StateBody } from './candidate-state.js';
import type { StateLog, StateLogRecord } from './state-log.js';

/**
 * Kinds of record. The first two are of nodes that had no elections yet: JSON of a state, JSON of a difference to the
 * one before.
 */
const WHOLE_STATE = 1;
const STATE_DIFF = 2;
const TERM = 3;
const ACCEPTED = 4;
const COMMITTED = 5;

/** Size at which a log is replaced by its whole state, unless twice the size of that state is more. */
const LOG_BYTES_MAX = 4 << 20;

/** Durable state of a node: its vote, the state that it accepted last, and whether that is committed. */
export interface Recovered {
  readonly durable: DurableState;
  /** The accepted state. */
  readonly state: ClusterState;
}

interface AcceptedHeader {
  readonly accepted: AcceptedState;
  /** Undefined: a voting configuration alone, before any state. */
  readonly base?: string | null;
}

function record(kind: number, header: unknown, body: Uint8Array = new Uint8Array(0)): StateLogRecord {
  const json = Buffer.from(JSON.stringify(header), 'utf8');
  const payload = new Uint8Array(4 + json.length + body.length);
  new DataView(payload.buffer).setUint32(0, json.length);
  payload.set(json, 4);
  payload.set(body, 4 + json.length);
  return { kind, payload };
}

function read({ payload }: StateLogRecord): { header: unknown; body: Uint8Array } {
  const length = new DataView(payload.buffer, payload.byteOffset, payload.byteLength).getUint32(0);
  const json = Buffer.from(payload.buffer, payload.byteOffset + 4, length).toString('utf8');
  return { header: JSON.parse(json), body: payload.subarray(4 + length) };
}

const acceptedRecord = (accepted: AcceptedState, body: StateBody | null): StateLogRecord =>
  body === null ? record(ACCEPTED, { accepted }) : record(ACCEPTED, { accepted, base: body.base }, body.bytes);

function nextAccepted(recovered: Recovered, entry: StateLogRecord): Recovered {
  const { header, body } = read(entry);
  const { accepted, base } = header as AcceptedHeader;
  const durable = { ...recovered.durable, accepted };
  if (base === undefined) return { durable, state: recovered.state };
  const state = decodeStateBody({ base, bytes: body }, recovered.state);
  if (state === null)
    throw errors.corruption(`state log: version [${accepted.version}] follows a state that is missing`);
  return { durable, state };
}

function nextCommitted(recovered: Recovered, entry: StateLogRecord): Recovered {
  const { term, version } = read(entry).header as { term: number; version: number };
  const { accepted } = recovered.durable;
  if (accepted.term !== term || accepted.version !== version) return recovered;
  const final = { ...accepted, committedConfig: accepted.acceptedConfig, clusterUuidCommitted: true };
  return { ...recovered, durable: { ...recovered.durable, accepted: final } };
}

/** A node without elections was its own cluster: what it wrote is accepted and committed by itself alone. */
function nextOfLoneNode(recovered: Recovered, entry: StateLogRecord): Recovered {
  const base = entry.kind === WHOLE_STATE ? null : recovered.state.stateUuid;
  const state = decodeStateBody({ base, bytes: entry.payload }, recovered.state);
  if (state === null) throw errors.corruption('state log: a difference follows a state that is missing');
  const config = [...state.nodes.keys()];
  const accepted: AcceptedState = {
    term: state.term,
    version: state.version,
    stateUuid: state.stateUuid,
    digest: digestOf(state),
    nodes: config,
    acceptedConfig: config,
    committedConfig: config,
    exclusions: [],
    clusterUuid: state.clusterUuid,
    clusterUuidCommitted: true,
  };
  return { durable: { term: state.term, accepted }, state };
}

function next(recovered: Recovered, entry: StateLogRecord): Recovered {
  if (entry.kind === WHOLE_STATE || entry.kind === STATE_DIFF) return nextOfLoneNode(recovered, entry);
  if (entry.kind === ACCEPTED) return nextAccepted(recovered, entry);
  if (entry.kind === COMMITTED) return nextCommitted(recovered, entry);
  if (entry.kind !== TERM) throw errors.corruption(`state log: record of unknown kind [${entry.kind}]`);
  const { term } = read(entry).header as { term: number };
  return { ...recovered, durable: { ...recovered.durable, term } };
}

/** Reads back what was written last. Throws corrupt_index_exception where the records do not make sense. */
export function recover(log: StateLog): Recovered {
  return log.records.reduce(next, { durable: EMPTY_DURABLE_STATE, state: emptyState() });
}

/** Pause before a write that failed for lack of disk space is repeated. */
const SPACE_RETRY_MS = 500;

/**
 * Writes the durable effects of a consensus state machine, in order; each resolves once it survives power loss. On a
 * full disk they wait for space: the node votes for nothing and follows nobody meanwhile, and is removed when that
 * takes long, but its shards stay as they are.
 */
export class Journal {
  readonly #log: StateLog;
  readonly #doors: { readonly clock: Clock; readonly log: Log };
  #term: number;
  #limit = LOG_BYTES_MAX;
  #last: Promise<unknown> = Promise.resolve();
  #isWaiting = false;
  #isClosed = false;

  constructor(log: StateLog, term: number, doors: { readonly clock: Clock; readonly log: Log }) {
    this.#log = log;
    this.#term = term;
    this.#doors = doors;
  }

  term(term: number): Promise<void> {
    return this.#inOrder(() => {
      this.#term = term;
      return this.#log.append([record(TERM, { term })]);
    });
  }

  /** Writes an accepted state. `body` null: only the voting configuration is new. */
  accept(accepted: AcceptedState, body: StateBody | null, state: ClusterState): Promise<void> {
    return this.#inOrder(() => this.#accept(accepted, body, state));
  }

  async #accept(accepted: AcceptedState, body: StateBody | null, state: ClusterState): Promise<void> {
    if (body === null || this.#log.sizeInBytes() <= this.#limit)
      return this.#log.append([acceptedRecord(accepted, body)]);
    const whole = encodeStateBody(state, null);
    this.#limit = Math.max(LOG_BYTES_MAX, 2 * whole.bytes.length);
    await this.#log.compact([record(TERM, { term: this.#term }), acceptedRecord(accepted, whole)]);
  }

  commit(term: number, version: number): Promise<void> {
    return this.#inOrder(() => this.#log.append([record(COMMITTED, { term, version })]));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (!this.#isWaiting) await this.#last;
    await this.#log.close();
  }

  #inOrder(write: () => Promise<void>): Promise<void> {
    const written = this.#last.then(() => this.#whenThereIsSpace(write));
    this.#last = written.catch(() => undefined);
    return written;
  }

  async #whenThereIsSpace(write: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        await write();
        this.#isWaiting = false;
        return;
      } catch (error) {
        if (!isSpaceError(error)) throw error;
      }
      if (!this.#isWaiting) this.#doors.log.write('warn', 'there is no space for the state log: the node waits', {});
      this.#isWaiting = true;
      // A closed journal never resolves, so that no write is reported as durable.
      await new Promise<void>((resolve) => void (this.#isClosed || this.#doors.clock.after(SPACE_RETRY_MS, resolve)));
    }
  }
}
