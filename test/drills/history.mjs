// What clients of a node sent and what they were told, and whether the node's documents agree with it.
import { call } from '../node-process.mjs';

/** Repeatable numbers in [0, 1). */
export function numbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

/** Kinds of answers that mean that the operation is in the log. A no-op writes nothing. */
const LOGGED = new Set(['created', 'updated', 'deleted', 'not_found']);

/**
 * A client of one index with `idCount` ids. Every written value is used once, so that a document tells which write it
 * is of; sequence numbers tell which of several acknowledged writes of an id is the newest.
 */
class History {
  counts = { acknowledged: 0, refused: 0, unanswered: 0 };
  /** By id: the newest write that is known, and writes that were sent and not answered. */
  #ids = new Map();
  #next = 1;
  #index;
  #idCount;
  #padding;

  constructor({ index, idCount, seed, padding = 0 }) {
    this.#index = index;
    this.#idCount = idCount;
    this.#padding = padding;
    this.random = numbers(seed);
  }

  /** One bulk of up to `size` operations. Returns false if it got no answer or one with errors. */
  async bulk(node, size, parameters = '') {
    const writes = Array.from({ length: 1 + Math.floor(this.random() * size) }, () => this.#pick());
    for (const write of writes) this.#entryOf(write.id).open.add(write);
    const body = writes.flatMap(({ lines }) => lines.map((line) => `${JSON.stringify(line)}\n`)).join('');
    let answer;
    try {
      answer = await call(node, 'POST', `/${this.#index}/_bulk${parameters}`, body);
    } catch {
      this.counts.unanswered += writes.length;
      return false;
    }
    if (!Array.isArray(answer.body.items)) {
      this.counts.refused += writes.length;
      return false;
    }
    writes.forEach((write, i) => this.#take(write, answer.body.items[i]));
    return !answer.body.errors;
  }

  /** Compares the documents of the node with the history, which takes them over. Returns what is wrong. */
  async verify(node) {
    const wrong = [];
    await call(node, 'POST', `/${this.#index}/_refresh`);
    const searched = await searchedDocuments(node, this.#index, this.#idCount);
    const got = await gotDocuments(node, this.#index, [...new Set([...this.#ids.keys(), ...searched.keys()])]);
    for (const id of new Set([...this.#ids.keys(), ...searched.keys(), ...got.keys()])) {
      const found = got.get(id) ?? null;
      const seen = searched.get(id) ?? null;
      if (JSON.stringify(found) !== JSON.stringify(seen)) wrong.push({ id, got: found, searched: seen });
      const entry = this.#entryOf(id);
      if (!isPossible(entry, found))
        wrong.push({ id, found, known: entry.known, open: [...entry.open].map(({ value }) => value) });
      entry.known = found ?? (entry.known && { ...entry.known, value: null });
      entry.open.clear();
    }
    const { body } = await call(node, 'GET', `/${this.#index}/_count`);
    if (body.count !== got.size || body._shards.failed > 0) wrong.push({ count: body, documents: got.size });
    return { wrong, documents: got.size };
  }

  #entryOf(id) {
    if (!this.#ids.has(id)) this.#ids.set(id, { known: null, open: new Set() });
    return this.#ids.get(id);
  }

  #pick() {
    const id = `id-${Math.floor(this.random() * this.#idCount)}`;
    const kind = this.random();
    const n = this.#next++;
    if (kind < 0.15) return { id, n, value: null, lines: [{ delete: { _id: id } }] };
    const document = { n, k: `key-${n % 97}`, t: this.#filling() };
    if (kind < 0.35)
      return { id, n, value: n, lines: [{ update: { _id: id } }, { doc: document, doc_as_upsert: true }] };
    return { id, n, value: n, lines: [{ index: { _id: id } }, document] };
  }

  #filling() {
    const words = Math.ceil(this.#padding / 12);
    return Array.from({ length: words }, () => this.random().toString(36).slice(2)).join(' ');
  }

  #take(write, item) {
    const entry = this.#entryOf(write.id);
    const answer = Object.values(item)[0];
    // Refused as a whole, or answered with an error after it may have reached the log (a shard that failed meanwhile).
    if (answer.error) {
      this.counts.refused++;
      return;
    }
    entry.open.delete(write);
    if (!LOGGED.has(answer.result)) return;
    this.counts.acknowledged++;
    if (entry.known === null || answer._seq_no > entry.known.seqNo)
      entry.known = { seqNo: answer._seq_no, version: answer._version, value: write.value };
  }
}

/** Begins the history of one index; see History. */
export const createHistory = (options) => new History(options);

/**
 * The newest acknowledged write is there with its version and number, or one that was sent and not answered has
 * replaced it.
 */
function isPossible({ known, open }, found) {
  const values = [...open].map(({ value }) => value);
  if (found === null) return known === null || known.value === null || values.includes(null);
  if (known !== null && found.seqNo === known.seqNo)
    return found.value === known.value && found.version === known.version;
  return (known === null || found.seqNo > known.seqNo) && values.includes(found.value);
}

async function searchedDocuments(node, index, idCount) {
  const { body } = await call(node, 'POST', `/${index}/_search`, {
    size: Math.min(10_000, idCount),
    seq_no_primary_term: true,
    version: true,
    _source: ['n'],
    track_total_hits: true,
  });
  if (!body.hits || body._shards.failed > 0) throw new Error(`the search failed: ${JSON.stringify(body)}`);
  return new Map(
    body.hits.hits.map((hit) => [hit._id, { seqNo: hit._seq_no, version: hit._version, value: hit._source.n }]),
  );
}

async function gotDocuments(node, index, ids) {
  if (ids.length === 0) return new Map();
  const { body } = await call(node, 'POST', `/${index}/_mget?_source=n`, { ids });
  const broken = body.docs.find((document) => document.error);
  if (broken) throw new Error(`a get failed: ${JSON.stringify(broken)}`);
  return new Map(
    body.docs
      .filter(({ found }) => found)
      .map((hit) => [hit._id, { seqNo: hit._seq_no, version: hit._version, value: hit._source.n }]),
  );
}
