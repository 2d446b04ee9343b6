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
export function createHistory({ index, idCount, seed, padding = 0 }) {
  const random = numbers(seed);
  /** By id: the newest that is known, and values that were sent and not answered. */
  const ids = new Map();
  const counts = { acknowledged: 0, refused: 0, unanswered: 0 };
  let next = 1;
  const filling = () => Array.from({ length: Math.ceil(padding / 12) }, () => random().toString(36).slice(2)).join(' ');
  const entryOf = (id) => {
    if (!ids.has(id)) ids.set(id, { known: null, open: new Set() });
    return ids.get(id);
  };

  const pick = () => {
    const id = `id-${Math.floor(random() * idCount)}`;
    const kind = random();
    const n = next++;
    if (kind < 0.15) return { id, n, value: null, lines: [{ delete: { _id: id } }] };
    const document = { n, k: `key-${n % 97}`, t: filling() };
    if (kind < 0.35)
      return { id, n, value: n, lines: [{ update: { _id: id } }, { doc: document, doc_as_upsert: true }] };
    return { id, n, value: n, lines: [{ index: { _id: id } }, document] };
  };

  const take = (write, item) => {
    const entry = entryOf(write.id);
    const answer = Object.values(item)[0];
    // Refused as a whole, or answered with an error after it may have reached the log (a shard that failed meanwhile).
    if (answer.error) {
      counts.refused++;
      return;
    }
    entry.open.delete(write);
    if (!LOGGED.has(answer.result)) return;
    counts.acknowledged++;
    if (entry.known === null || answer._seq_no > entry.known.seqNo)
      entry.known = { seqNo: answer._seq_no, version: answer._version, value: write.value };
  };

  return {
    counts,
    random,
    /** One bulk of up to `size` operations; false when it got no answer or one with errors. */
    async bulk(node, size, parameters = '') {
      const writes = Array.from({ length: 1 + Math.floor(random() * size) }, pick);
      for (const write of writes) entryOf(write.id).open.add(write);
      const body = writes.flatMap(({ lines }) => lines.map((line) => `${JSON.stringify(line)}\n`)).join('');
      let answer;
      try {
        answer = await call(node, 'POST', `/${index}/_bulk${parameters}`, body);
      } catch {
        counts.unanswered += writes.length;
        return false;
      }
      if (!Array.isArray(answer.body.items)) {
        counts.refused += writes.length;
        return false;
      }
      writes.forEach((write, i) => take(write, answer.body.items[i]));
      return !answer.body.errors;
    },
    /** Compares the node's documents with the history; what is there is known from then on. Returns what is wrong. */
    async verify(node) {
      const wrong = [];
      await call(node, 'POST', `/${index}/_refresh`);
      const searched = await searchedDocuments(node, index, idCount);
      const got = await gotDocuments(node, index, [...new Set([...ids.keys(), ...searched.keys()])]);
      for (const id of new Set([...ids.keys(), ...searched.keys(), ...got.keys()])) {
        const found = got.get(id) ?? null;
        const seen = searched.get(id) ?? null;
        if (JSON.stringify(found) !== JSON.stringify(seen)) wrong.push({ id, got: found, searched: seen });
        const entry = entryOf(id);
        if (!isPossible(entry, found))
          wrong.push({ id, found, known: entry.known, open: [...entry.open].map(({ value }) => value) });
        entry.known = found ?? (entry.known && { ...entry.known, value: null });
        entry.open.clear();
      }
      const { body } = await call(node, 'GET', `/${index}/_count`);
      if (body.count !== got.size || body._shards.failed > 0) wrong.push({ count: body, documents: got.size });
      return { wrong, documents: got.size };
    },
  };
}

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
