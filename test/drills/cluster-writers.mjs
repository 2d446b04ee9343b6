// Clients that write to a cluster all the time through all of its nodes, remember what they sent and were told, and
// check it at the end: every document's story has to be one of atomic operations, and nothing acknowledged may be
// missing.
import fs from 'node:fs';
import path from 'node:path';
import { sleep } from '../node-process.mjs';
import { request } from './cluster-nodes.mjs';
import { numbers } from './history.mjs';
import { explain } from './linearizability.mjs';

const INDEX = 'drill';
const UNKNOWN = { type: 'unknown' };

const metadataOf = ({ kind, id, expected, seen }) => ({
  _id: id,
  ...(kind === 'cas' && expected ? { if_seq_no: seen.seqNo, if_primary_term: seen.term } : {}),
});

/** What an answer of a write says. Errors that are not about the document leave open whether it happened. */
function outcomeOf(op, status, body) {
  if (status === 200 || status === 201)
    return {
      type: 'ok',
      seqNo: body._seq_no,
      term: body._primary_term,
      ...(op.kind === 'put' || op.kind === 'create' ? { isCreated: body.result === 'created' } : {}),
    };
  if (status === 409 && op.kind !== 'put' && body?.error?.type === 'version_conflict_engine_exception')
    return { type: 'refused' };
  if (status === 404 && op.kind === 'delete' && body?.result === 'not_found') return { type: 'refused' };
  if (status < 500 && status !== 429 && status !== 404)
    throw new Error(`${op.kind} of ${op.id} was answered with ${status}: ${JSON.stringify(body).slice(0, 400)}`);
  return UNKNOWN;
}

/** Which shard each id is on. */
async function shardsOf(node, ids) {
  const shardOf = async (id) =>
    (await request(node, 'GET', `/${INDEX}/_search_shards?routing=${id}`)).body.shards[0][0].shard;
  return new Map(await Promise.all(ids.map(async (id) => [id, await shardOf(id)])));
}

/** Whether a request ended without an answer; other errors are mistakes of the drill. */
function assertUnanswered(error) {
  if (!error.code && error.message !== 'no answer in time') throw error;
}

/** Clients of one index, and the history of what they did. Times are of `performance.now()`. */
class Writers {
  index = INDEX;
  counts = { acknowledged: 0, refused: 0, unanswered: 0, failed: 0, reads: 0 };
  /** Kinds of answers that tell nothing of the outcome, with how often they came. */
  errors = new Map();
  /** By id: all operations. */
  #story;
  /** By id: a version that a client saw last, for conditional writes. */
  #seen = new Map();
  #acks = [];
  /** Reads that gave what nobody wrote. */
  #dirty = [];
  /** By written value: the document. */
  #sentTo = [];
  #isOver = false;
  #failure = null;
  #running = [];
  #random;
  #text;

  constructor(cluster, shardOf, { seed, shards, timeoutMs, attempts, padding }) {
    Object.assign(this, { cluster, nodes: cluster.nodes, shardOf, seed, shards, timeoutMs, attempts });
    this.ids = [...shardOf.keys()];
    this.#story = new Map(this.ids.map((id) => [id, []]));
    this.#random = numbers(seed);
    this.#text = 'x'.repeat(padding);
  }

  start(writers) {
    this.#running = Array.from({ length: writers }, (_, k) =>
      this.#client(k).catch((error) => (this.#failure ??= error)),
    );
  }

  async stop() {
    this.#isOver = true;
    await Promise.all(this.#running);
    if (this.#failure) throw this.#failure;
  }

  /** By shard: the longest time without an acknowledged write, from `from` on. */
  gaps(from) {
    return Array.from({ length: this.shards }, (_, shard) => {
      let last = from;
      let longest = 0;
      for (const [time, of] of this.#acks) {
        if (of !== shard || time < from) continue;
        longest = Math.max(longest, time - last);
        last = time;
      }
      return Math.round(Math.max(longest, performance.now() - last));
    });
  }

  /** Whether each shard acknowledged a write after `from`. */
  wroteSince(from) {
    const shards = Array.from({ length: this.shards }, (_, shard) => shard);
    return shards.every((shard) => this.#acks.some(([time, of]) => of === shard && time > from));
  }

  /** Reads all documents through every node, and from every copy by search; throws for what cannot have happened. */
  async verify() {
    const wrong = this.#dirty.map((one) => `read of what nobody wrote: ${JSON.stringify(one)}`);
    for (const node of this.nodes) await finalReads(node, this.ids, this.#story);
    let undecided = 0;
    for (const [id, ops] of this.#story) {
      const result = explain(ops);
      if (result === 'undecided') undecided++;
      else if (result !== null) wrong.push(`${id}: ${toldOf(result)}`);
    }
    wrong.push(...(await differingCopies(this.cluster, this.ids.length)));
    if (wrong.length > 0) throw this.#violation(wrong);
    const operations = [...this.#story.values()].reduce((sum, ops) => sum + ops.length, 0);
    return { documents: this.ids.length, operations, undecided };
  }

  #violation(wrong) {
    const { seed, cluster } = this;
    const history = { seed, wrong, shards: [...this.shardOf], story: [...this.#story] };
    fs.writeFileSync(path.join(cluster.folder, 'history.json'), JSON.stringify(history));
    return new Error(
      `${wrong.length} wrong (seed ${seed}, logs, data and history.json in ` +
        `${cluster.folder}):\n${wrong.slice(0, 5).join('\n')}`,
    );
  }

  async #client(k) {
    let at = k;
    let failures = 0;
    while (!this.#isOver) {
      if (await this.#turn(this.nodes[at % this.nodes.length])) {
        failures = 0;
        continue;
      }
      at++;
      if (++failures === this.attempts) {
        this.counts.failed++;
        failures = 0;
      }
      await sleep(Math.min(20 * 2 ** failures, 1_000));
    }
  }

  #turn(node) {
    const draw = this.#random();
    return draw < 0.1 ? this.#read(node) : draw < 0.25 ? this.#bulk(node) : this.#single(node);
  }

  #newValue(id) {
    return this.#sentTo.push(id) - 1;
  }

  #anyId() {
    return this.ids[Math.floor(this.#random() * this.ids.length)];
  }

  #pick() {
    const id = this.#anyId();
    const draw = this.#random();
    const known = this.#seen.get(id);
    if (draw < 0.14) return { kind: 'delete', id, value: null };
    if (draw < 0.3) return { kind: 'create', id, value: this.#newValue(id) };
    if (draw < 0.6 && known) return { kind: 'cas', id, value: this.#newValue(id), expected: known.value, seen: known };
    return { kind: 'put', id, value: this.#newValue(id) };
  }

  async #single(node) {
    const op = this.#pick();
    const { if_seq_no: seqNo, if_primary_term: term } = metadataOf(op);
    const condition = seqNo === undefined ? '' : `&if_seq_no=${seqNo}&if_primary_term=${term}`;
    const parameters = `timeout=${this.timeoutMs}ms${condition}${op.kind === 'create' ? '&op_type=create' : ''}`;
    const url = `/${INDEX}/_doc/${op.id}?${parameters}`;
    const document = op.kind === 'delete' ? undefined : { n: op.value, t: this.#text };
    const call = performance.now();
    try {
      const answer = await request(node, document ? 'PUT' : 'DELETE', url, document, this.timeoutMs + 5_000);
      return this.#settleAnswer(op, call, answer.status, answer.body);
    } catch (error) {
      assertUnanswered(error);
      this.#note(error.code ?? error.message);
      return this.#settle(op, call, UNKNOWN);
    }
  }

  async #bulk(node) {
    const ops = Array.from({ length: 2 + Math.floor(this.#random() * 12) }, () => this.#pick());
    const actionOf = (kind) => (kind === 'delete' || kind === 'create' ? kind : 'index');
    const lines = ops.flatMap((op) => [
      JSON.stringify({ [actionOf(op.kind)]: metadataOf(op) }),
      ...(op.value === null ? [] : [JSON.stringify({ n: op.value, t: this.#text })]),
    ]);
    const url = `/${INDEX}/_bulk?timeout=${this.timeoutMs}ms`;
    const call = performance.now();
    try {
      const { status, body } = await request(node, 'POST', url, `${lines.join('\n')}\n`, this.timeoutMs + 5_000);
      if (!Array.isArray(body.items)) {
        this.#noteAnswer(status, body);
        return ops.map((op) => this.#settle(op, call, outcomeOf(op, status, body))).every(Boolean);
      }
      const items = body.items.map((item) => Object.values(item)[0]);
      return ops.map((op, i) => this.#settleAnswer(op, call, items[i].status, items[i])).every(Boolean);
    } catch (error) {
      assertUnanswered(error);
      this.#note(error.code ?? error.message);
      for (const op of ops) this.#settle(op, call, UNKNOWN);
      return false;
    }
  }

  /**
   * Reads during faults may be old, or be of a write that an isolated primary rolls back later; what nobody wrote is
   * always wrong.
   */
  async #read(node) {
    const id = this.#anyId();
    const answer = await request(node, 'GET', `/${INDEX}/_doc/${id}`, undefined, this.timeoutMs).catch(() => null);
    if (answer?.status !== 200) return true;
    this.counts.reads++;
    const { n } = answer.body._source;
    if (this.#sentTo[n] !== id) this.#dirty.push({ id, n });
    this.#seen.set(id, { value: n, seqNo: answer.body._seq_no, term: answer.body._primary_term });
    return true;
  }

  #settleAnswer(op, call, status, body) {
    const outcome = outcomeOf(op, status, body);
    if (outcome === UNKNOWN) this.#noteAnswer(status, body);
    return this.#settle(op, call, outcome);
  }

  /** Adds an operation to the history. Returns whether its outcome is known. */
  #settle(op, call, outcome) {
    const isKnown = outcome.type !== 'unknown';
    const answer = isKnown ? performance.now() : Infinity;
    this.#story.get(op.id).push({ ...op, call, answer, outcome });
    if (outcome.type === 'ok') {
      this.counts.acknowledged++;
      this.#acks.push([answer, this.shardOf.get(op.id)]);
      if (op.value !== null) this.#seen.set(op.id, { value: op.value, seqNo: outcome.seqNo, term: outcome.term });
    } else if (isKnown) {
      this.counts.refused++;
      if (op.kind === 'cas') this.#seen.delete(op.id);
    } else this.counts.unanswered++;
    return isKnown;
  }

  #note(what) {
    this.errors.set(what, (this.errors.get(what) ?? 0) + 1);
  }

  #noteAnswer(status, body) {
    const reason = String(body?.error?.reason ?? '').slice(0, 80);
    this.#note(`${status} ${body?.error?.type ?? ''} ${reason.replaceAll(/id-\d+|\d+/g, '#')}`);
  }
}

/**
 * Starts `writers` clients on `idCount` documents of one index with `shards` shards. Each client begins at another node
 * and goes to the next one when an answer does not come.
 */
export async function startWriters(
  cluster,
  { seed, writers = 6, idCount = 240, shards = 3, replicas = 1, timeoutMs = 30_000, attempts = 8, padding = 0 },
) {
  const [node] = cluster.nodes;
  const created = await request(node, 'PUT', `/${INDEX}`, {
    settings: { number_of_shards: shards, number_of_replicas: replicas },
    mappings: { properties: { n: { type: 'long' }, t: { type: 'keyword', index: false } } },
  });
  if (created.status !== 200) throw new Error(`the index was not created: ${JSON.stringify(created.body)}`);
  await cluster.green();
  const shardOf = await shardsOf(
    node,
    Array.from({ length: idCount }, (_, i) => `id-${i}`),
  );
  const started = new Writers(cluster, shardOf, { seed, shards, timeoutMs, attempts, padding });
  started.start(writers);
  return started;
}

async function finalReads(node, ids, story) {
  const call = performance.now();
  const { status, body } = await request(node, 'POST', `/${INDEX}/_mget?_source=n`, { ids }, 30_000);
  if (status !== 200) throw new Error(`the documents cannot be read: ${JSON.stringify(body).slice(0, 300)}`);
  const answer = performance.now();
  for (const doc of body.docs) {
    if (doc.error) throw new Error(`a document cannot be read: ${JSON.stringify(doc)}`);
    story.get(doc._id).push({
      kind: 'get',
      id: doc._id,
      call,
      answer,
      outcome: { type: 'ok', value: doc.found ? doc._source.n : null },
    });
  }
}

const toldOf = ({ order, left }) => {
  const shown = ({ kind, value, expected, call, answer, outcome }) =>
    `${kind}${expected === undefined ? '' : ` if ${expected}`} ${value ?? ''} ` +
    `[${Math.round(call)}–${Math.round(answer)}] ${JSON.stringify(outcome)}`;
  return (
    `in order up to\n  ${order.slice(-6).map(shown).join('\n  ')}\nand then not\n  ` +
    `${left.slice(0, 8).map(shown).join('\n  ')}`
  );
};

/** All copies of all shards have the same documents. */
async function differingCopies(cluster, size) {
  await request(cluster.nodes[0], 'POST', `/${INDEX}/_refresh`, undefined, 30_000);
  const { body: infos } = await request(cluster.nodes[0], 'GET', '/_nodes/http');
  const { body: shards } = await request(cluster.nodes[0], 'GET', `/_cat/shards/${INDEX}?format=json&h=shard,node`);
  const wrong = [];
  const byShard = new Map();
  for (const { shard, node } of shards) {
    const id = Object.entries(infos.nodes).find(([, { name }]) => name === node)?.[0];
    const { status, body } = await request(
      cluster.nodes[0],
      'POST',
      `/${INDEX}/_search?preference=_shards:${shard}|_only_nodes:${id}`,
      { size, _source: ['n'], seq_no_primary_term: true, version: true, sort: ['_doc'] },
      30_000,
    );
    if (status !== 200 || body._shards.failed > 0) {
      wrong.push(`copy of shard ${shard} on ${node} cannot be searched: ${JSON.stringify(body).slice(0, 300)}`);
      continue;
    }
    const documents = body.hits.hits
      .map(({ _id, _seq_no, _version, _source }) => `${_id}@${_seq_no}v${_version}=${_source.n}`)
      .sort();
    const other = byShard.get(shard);
    if (!other) byShard.set(shard, { node, documents });
    else if (JSON.stringify(other.documents) !== JSON.stringify(documents))
      wrong.push(
        `shard ${shard}: ${node} has ${documents.filter((d) => !other.documents.includes(d)).slice(0, 5)}, ` +
          `${other.node} has ${other.documents.filter((d) => !documents.includes(d)).slice(0, 5)}`,
      );
  }
  return wrong;
}
