import { type ClusterState, stateToJson } from '@shoal/state';
import type { ConsensusMessage, Publish } from '@shoal/consensus';
import { isQuorum, sameConfig } from '@shoal/consensus';

interface PublishedState {
  readonly header: Publish;
  readonly accepts: Set<string>;
  isCommitted: boolean;
}

/** Highest term of a vote of a node: `highest` of all its processes, `before` of the processes before `process`. */
interface VotedTerm {
  readonly process: string;
  readonly before: number;
  readonly highest: number;
}

type Violate = (invariant: string, what: string) => void;

/**
 * Checks invariants I1 to I10 of docs/internals/cluster.md §14 from messages between nodes and the states that they
 * apply. It asks no node, so it still knows what a node has wrongly forgotten.
 */
export class CoordinationHistory {
  readonly #violate: Violate;
  readonly #publisherOfTerm = new Map<number, string>();
  readonly #published = new Map<string, PublishedState>();
  readonly #votes = new Map<string, string>();
  readonly #votedTerm = new Map<string, VotedTerm>();
  readonly #stateOfVersion = new Map<string, string>();
  /** JSON of parts of states, which do not change once they are made. */
  readonly #texts = new WeakMap<object, string>();
  readonly #appliedBy = new Map<string, number>();
  /** UUIDs of committed states by version. */
  readonly #chain = new Map<number, string>();
  #newestCommitted = 0;
  #newestCommittedTerm = 0;
  /** Newest version that a leader published which is its own quorum. */
  #newestAlone = 0;
  #clusterUuid: string | null = null;
  /** By index name: the states that created an index of that name, in order. */
  readonly #createdIn = new Map<string, ClusterState[]>();
  /** Newest committed state that any node has applied. */
  newest: ClusterState | null = null;

  constructor(violate: Violate) {
    this.#violate = violate;
  }

  /**
   * Version of the newest committed state. Nodes may apply it later. A leader that is its own quorum commits a state
   * before it sends any commit, and its shards may act on it before the node itself applies it: for it the newest
   * published state counts, and without other nodes the newest applied one.
   */
  get committedVersion(): number {
    return Math.max(this.#newestCommitted, this.#newestAlone, this.newest?.version ?? 0);
  }

  /** Records a coordination message that a process (node and session) sends. */
  sent(nodeId: string, process: string, to: string, message: ConsensusMessage): void {
    if (message.type === 'publish') this.#publish(nodeId, process, message);
    else if (message.type === 'join') this.#vote(nodeId, process, to, message.term);
    else if (message.type === 'joinRequest' && message.vote) this.#vote(nodeId, process, to, message.vote.term);
    else if (message.type === 'publishOk')
      this.#published.get(`${message.term}/${message.version}`)?.accepts.add(nodeId);
    else if (message.type === 'commit') this.#commit(nodeId, message.term, message.version);
  }

  /**
   * Checks that a node votes once a term. It must not vote in a term below one in which an earlier process of the node
   * voted: that vote would have been forgotten. The votes of one process may be seen out of order, as each waits for
   * the link to its candidate.
   */
  #vote(nodeId: string, process: string, candidate: string, term: number): void {
    const key = `${nodeId}/${term}`;
    const sameTerm = this.#votes.get(key);
    if (sameTerm !== undefined && sameTerm !== candidate)
      this.#violate('I2', `${nodeId} votes for ${sameTerm} and ${candidate} in term ${term}`);
    this.#votes.set(key, candidate);
    const voted = this.#votedTerm.get(nodeId) ?? { process, before: 0, highest: 0 };
    const before = voted.process === process ? voted.before : voted.highest;
    if (term < before && sameTerm === undefined)
      this.#violate('I2', `${nodeId} votes in term ${term} after a process of it that ended has in term ${before}`);
    this.#votedTerm.set(nodeId, { process, before, highest: Math.max(voted.highest, term) });
  }

  #publish(nodeId: string, process: string, m: Publish): void {
    const publisher = this.#publisherOfTerm.get(m.term);
    if (publisher === undefined) this.#publisherOfTerm.set(m.term, process);
    else if (publisher !== process) this.#violate('I1', `${publisher} and ${process} publish in term ${m.term}`);
    const key = `${m.term}/${m.version}`;
    const known = this.#published.get(key);
    if (known && known.header.stateUuid !== m.stateUuid)
      this.#violate('I3', `two states are published as term ${m.term} version ${m.version}`);
    if (known) return;
    this.#published.set(key, { header: m, accepts: new Set([nodeId]), isCommitted: false });
    if (isQuorum([nodeId], m.config) && isQuorum([nodeId], m.committedConfig))
      this.#newestAlone = Math.max(this.#newestAlone, m.version);
    if (m.config.length === 0) this.#violate('I7', `version ${m.version} has an empty voting configuration`);
    if (m.term > this.#newestCommittedTerm && m.version <= this.#newestCommitted)
      this.#violate(
        'I6',
        `${nodeId} publishes version ${m.version} in term ${m.term} though version ${this.#newestCommitted} is ` +
          'committed',
      );
  }

  #commit(nodeId: string, term: number, version: number): void {
    const state = this.#published.get(`${term}/${version}`);
    if (!state) return this.#violate('I4', `term ${term} version ${version} is committed but was not published`);
    if (state.isCommitted) return;
    state.isCommitted = true;
    const { header, accepts } = state;
    const voters = [...accepts];
    if (!isQuorum(voters, header.config) || !isQuorum(voters, header.committedConfig)) {
      this.#violate(
        'I4',
        `${nodeId} commits version ${version} of term ${term} with ${voters.length} accepts of ` +
          `${header.config.length} (${header.committedConfig.length} before)`,
      );
    }
    this.#extendChain(term, version, header.stateUuid);
  }

  #extendChain(term: number, version: number, stateUuid: string): void {
    const before = this.#chain.get(version);
    if (before !== undefined && before !== stateUuid)
      this.#violate('I5', `two committed states have version ${version}`);
    if (before === undefined && version < this.#newestCommitted && term >= this.#newestCommittedTerm)
      this.#violate('I5', `version ${version} of term ${term} is committed after version ${this.#newestCommitted}`);
    this.#chain.set(version, stateUuid);
    if (version <= this.#newestCommitted) return;
    this.#newestCommitted = version;
    this.#newestCommittedTerm = term;
  }

  /** Records that a process has applied a state. */
  applied(process: string, state: ClusterState): void {
    const before = this.#appliedBy.get(process) ?? 0;
    if (state.version < before) this.#violate('I8', `${process} applies version ${state.version} after ${before}`);
    if (state.version === before) return;
    this.#appliedBy.set(process, state.version);
    const published = this.#published.get(`${state.term}/${state.version}`);
    // A cluster of one node, or the first of several, publishes to nobody, so its states are not in `#published`.
    if (published && !published.isCommitted && this.#publisherOfTerm.get(state.term) !== process)
      this.#violate('I8', `${process} applies version ${state.version} of term ${state.term}, which is not committed`);
    this.#sameContent(process, state);
    this.#sameCluster(process, state);
    if (state.version <= (this.newest?.version ?? 0)) return;
    for (const [uuid, { name }] of state.indices)
      if (!this.newest?.indices.has(uuid)) this.#createdIn.set(name, [...(this.#createdIn.get(name) ?? []), state]);
    this.newest = state;
  }

  /** Whether an applied state after `version` created an index of this name. */
  wasCreatedAfter(name: string, version: number): boolean {
    return (this.#createdIn.get(name) ?? []).some((state) => state.version > version);
  }

  /**
   * Checks I11 after a client was told that its index exists and all nodes know of it. `since` is the newest version at
   * the request: older indices of the same name do not count. `applied` has the applied version of each process.
   */
  acknowledged(name: string, since: number, applied: ReadonlyMap<string, number>): void {
    const created = (this.#createdIn.get(name) ?? []).filter(({ version }) => version > since);
    if (created.length === 0)
      return this.#violate(
        'I11',
        `index [${name}] is acknowledged, but no committed state after version ${since} has made it`,
      );
    const missing = created.map((state) => this.#missing(state, applied));
    if (missing.every((what) => what !== null))
      this.#violate('I11', `index [${name}] is acknowledged, but ${missing.join(', ')}`);
  }

  /**
   * Describes a node of a state that has not applied it, or returns null. Skips nodes that have left or restarted
   * since: they get a newer state when they join.
   */
  #missing({ version, nodes }: ClusterState, applied: ReadonlyMap<string, number>): string | null {
    for (const { id, ephemeralId } of nodes.values()) {
      if (this.newest?.nodes.get(id)?.ephemeralId !== ephemeralId) continue;
      const has = applied.get(`${id}/${ephemeralId}`);
      if (has !== undefined && has < version) return `${id} shows version ${has}, not ${version}`;
    }
    return null;
  }

  /** Checks that all nodes have the same content for a version (I3, I5, I9). */
  #sameContent(process: string, state: ClusterState): void {
    const key = String(state.version);
    const content = this.#ordered(stateToJson(state));
    const known = this.#stateOfVersion.get(key);
    if (known === undefined) this.#stateOfVersion.set(key, content);
    else if (known !== content)
      this.#violate(
        'I9',
        `${process} applies another version ${state.version} than the others: ${firstDifference(known, content)}`,
      );
  }

  /** Returns JSON with sorted object keys. Parts that a process's next state shares are written once. */
  #ordered(value: unknown): string {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
    let text = this.#texts.get(value);
    if (text === undefined) {
      text = Array.isArray(value) ? `[${value.map((item) => this.#ordered(item)).join()}]` : this.#members(value);
      this.#texts.set(value, text);
    }
    return text;
  }

  #members(value: object): string {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    members.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([key, member]) => `"${key}":${this.#ordered(member)}`).join()}}`;
  }

  #sameCluster(process: string, { clusterUuid }: ClusterState): void {
    if (clusterUuid === '_na_') return;
    if (this.#clusterUuid !== null && this.#clusterUuid !== clusterUuid)
      this.#violate('I10', `${process} is in cluster ${clusterUuid}, the others in ${this.#clusterUuid}`);
    this.#clusterUuid = clusterUuid;
  }

  /** Whether a voting configuration is the one published last; for reports. */
  isLastConfig(config: readonly string[]): boolean {
    const last = [...this.#published.values()].at(-1);
    return last !== undefined && sameConfig(last.header.config, config);
  }
}

function firstDifference(a: string, b: string): string {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return `${a.slice(Math.max(0, i - 40), i + 60)} / ${b.slice(Math.max(0, i - 40), i + 60)}`;
}
