import type { Publish } from '@shoal/consensus';
import type { ClusterState } from '@shoal/state';
import type { CoordinationStatistics } from './coordination-statistics.js';
import { decodeStateBody, digestOf, encodeStateBody, type StateBody } from './candidate-state.js';

/**
 * Number of earlier states that differences can be made to, so that a node that missed some publications still gets a
 * difference.
 */
const BASES_MAX = 8;

/** Result of validating the body of a publication. */
export type Validated = 'ok' | 'needFull' | 'refused';

interface Candidate {
  readonly state: ClusterState;
  /** Bodies by uuid of their base; null for the whole state. */
  readonly bodies: Map<string | null, StateBody>;
}

/**
 * Bodies of the states that are being published or taken in, beside the consensus state machine, which knows their
 * headers only.
 */
export class Publishing {
  /** Candidate states by uuid, oldest first. */
  readonly #candidates = new Map<string, Candidate>();
  /** A received body that is not validated yet; null for none. */
  #incoming: { readonly stateUuid: string; readonly body: StateBody } | null = null;
  #accepted: ClusterState;
  readonly #statistics: Pick<CoordinationStatistics, 'received' | 'encoded'>;

  constructor(accepted: ClusterState, statistics: Pick<CoordinationStatistics, 'received' | 'encoded'>) {
    this.#accepted = accepted;
    this.#statistics = statistics;
    this.#keep(accepted, null);
  }

  /** The state that this node accepted last. */
  get accepted(): ClusterState {
    return this.#accepted;
  }

  /** Adds a state that this node proposes. */
  propose(state: ClusterState): void {
    this.#keep(state, null);
  }

  /** Returns the body for a node that accepted `base`: a difference if one can be made, otherwise the whole state. */
  bodyFor(stateUuid: string, base: string | null): StateBody | null {
    const candidate = this.#candidates.get(stateUuid);
    if (!candidate) return null;
    const from = base === null ? null : (this.#candidates.get(base)?.state ?? null);
    const key = from?.stateUuid ?? null;
    const known = candidate.bodies.get(key);
    if (known) return known;
    const body = encodeStateBody(candidate.state, from);
    candidate.bodies.set(key, body);
    const counts = this.#statistics.encoded[from === null ? 'full' : 'diffs'];
    counts.count++;
    counts.bytes += body.bytes.length;
    return body;
  }

  receive(publish: Publish, bytes: Uint8Array): void {
    this.#incoming = { stateUuid: publish.stateUuid, body: { base: publish.baseStateUuid, bytes } };
  }

  /**
   * Decodes what was received and compares its digest with the leader's: a difference that went wrong asks for the
   * whole state.
   */
  validate(publish: Publish): Validated {
    if (this.#candidates.has(publish.stateUuid)) return 'ok';
    const incoming = this.#incoming;
    if (incoming?.stateUuid !== publish.stateUuid) return 'needFull';
    this.#incoming = null;
    const state = decodeStateBody(incoming.body, this.#accepted);
    const failure = incoming.body.base === null ? 'refused' : 'needFull';
    const { received } = this.#statistics;
    if (state === null || state.stateUuid !== publish.stateUuid || digestOf(state, this.#accepted) !== publish.digest) {
      if (failure === 'needFull') received.unusable++;
      return failure;
    }
    received[incoming.body.base === null ? 'full' : 'diffs']++;
    this.#keep(state, incoming.body);
    return 'ok';
  }

  /** The consensus state machine accepted the state: returns it with the body for the state log. */
  accept(stateUuid: string): { readonly state: ClusterState; readonly body: StateBody } {
    const candidate = this.#candidates.get(stateUuid)!;
    const received = candidate.bodies.get(this.#accepted.stateUuid) ?? candidate.bodies.get(null);
    const body = received ?? this.bodyFor(stateUuid, this.#accepted.version === 0 ? null : this.#accepted.stateUuid)!;
    this.#accepted = candidate.state;
    return { state: candidate.state, body };
  }

  #keep(state: ClusterState, body: StateBody | null): void {
    const bodies = new Map(body === null ? [] : [[body.base, body]]);
    this.#candidates.delete(state.stateUuid);
    this.#candidates.set(state.stateUuid, { state, bodies });
    for (const [uuid] of this.#candidates) {
      if (this.#candidates.size <= BASES_MAX) break;
      this.#candidates.delete(uuid);
    }
  }
}
