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

/**
 * `writers` clients on `idCount` documents of one index with `shards` shards. Each begins at another node and goes to
 * the next one when an answer does not come. Times are of `performance.now()`.
 */
export async function startWriters(
  cluster,
  { seed, writers = 6, idCount = 240, shards = 3, replicas = 1, timeoutMs = 30_000, attempts = 8, padding = 0 },
) {
  const random = numbers(seed);
  const { nodes } = cluster;
  const created = await request(nodes[0], 'PUT', `/${INDEX}`, {
    settings: { number_of_shards: shards, number_of_replicas: replicas },
    mappings: { properties: { n: { type: 'long' }, t: { type: 'keyword', index: false } } },
  });
  if (created.status !== 200) throw new Error(`the index was not created: ${JSON.stringify(created.body)}`);
  await cluster.green();
  const ids = Array.from({ length: idCount }, (_, i) => `id-${i}`);
  const shardOf = new Map(
    await Promise.all(
      ids.map(async (id) => [
        id,
        (await request(nodes[0], 'GET', `/${INDEX}/_search_shards?routing=${id}`)).body.shards[0][0].shard,
      ]),
    ),
  );
  /** By id: all operations. */
  const story = new Map(ids.map((id) => [id, []]));
  /** By id: a version that somebody saw last, for conditional writes. */
  const seen = new Map();
  const acks = [];
  const counts = { acknowledged: 0, refused: 0, unanswered: 0, failed: 0, reads: 0 };
  const dirty = [];
  const errors = new Map();
  /** By written value: the document. */
  const sentTo = [];
  const newValue = (id) => sentTo.push(id) - 1;
  let isOver = false;
  const text = 'x'.repeat(padding);

  const pick = (id = ids[Math.floor(random() * idCount)]) => {
    const draw = random();
    const known = seen.get(id);
    if (draw < 0.14) return { kind: 'delete', id, value: null };
    if (draw < 0.3) return { kind: 'create', id, value: newValue(id) };
    if (draw < 0.6 && known) return { kind: 'cas', id, value: newValue(id), expected: known.value, seen: known };
    return { kind: 'put', id, value: newValue(id) };
  };

  const settle = (op, call, outcome) => {
    const isKnown = outcome.type !== 'unknown';
    const answer = isKnown ? performance.now() : Infinity;
    story.get(op.id).push({ ...op, call, answer, outcome });
    if (outcome.type === 'ok') {
      counts.acknowledged++;
      acks.push([answer, shardOf.get(op.id)]);
      if (op.value !== null) seen.set(op.id, { value: op.value, seqNo: outcome.seqNo, term: outcome.term });
    } else if (isKnown) {
      counts.refused++;
      if (op.kind === 'cas') seen.delete(op.id);
    } else counts.unanswered++;
    return isKnown;
  };

  const note = (what) => void errors.set(what, (errors.get(what) ?? 0) + 1);
  const noteAnswer = (status, body) =>
    note(
      `${status} ${body?.error?.type ?? ''} ${String(body?.error?.reason ?? '')
        .slice(0, 80)
        .replaceAll(/id-\d+|\d+/g, '#')}`,
    );

  const single = async (node) => {
    const op = pick();
    const { if_seq_no: seqNo, if_primary_term: term } = metadataOf(op);
    const condition = seqNo === undefined ? '' : `&if_seq_no=${seqNo}&if_primary_term=${term}`;
    const parameters = `timeout=${timeoutMs}ms${condition}${op.kind === 'create' ? '&op_type=create' : ''}`;
    const call = performance.now();
    try {
      const { status, body } = await request(
        node,
        op.kind === 'delete' ? 'DELETE' : 'PUT',
        `/${INDEX}/_doc/${op.id}?${parameters}`,
        op.kind === 'delete' ? undefined : { n: op.value, t: text },
        timeoutMs + 5_000,
      );
      const outcome = outcomeOf(op, status, body);
      if (outcome === UNKNOWN) noteAnswer(status, body);
      return settle(op, call, outcome);
    } catch (error) {
      if (!error.code && error.message !== 'no answer in time') throw error;
      note(error.code ?? error.message);
      return settle(op, call, UNKNOWN);
    }
  };

  const bulk = async (node) => {
    const ops = Array.from({ length: 2 + Math.floor(random() * 12) }, () => pick());
    const lines = ops.flatMap((op) => [
      JSON.stringify({ [op.kind === 'delete' ? 'delete' : op.kind === 'create' ? 'create' : 'index']: metadataOf(op) }),
      ...(op.value === null ? [] : [JSON.stringify({ n: op.value, t: text })]),
    ]);
    const call = performance.now();
    try {
      const { status, body } = await request(
        node,
        'POST',
        `/${INDEX}/_bulk?timeout=${timeoutMs}ms`,
        `${lines.join('\n')}\n`,
        timeoutMs + 5_000,
      );
      if (!Array.isArray(body.items)) {
        noteAnswer(status, body);
        return ops.map((op) => settle(op, call, outcomeOf(op, status, body))).every(Boolean);
      }
      return ops
        .map((op, i) => {
          const item = Object.values(body.items[i])[0];
          const outcome = outcomeOf(op, item.status, item);
          if (outcome === UNKNOWN) noteAnswer(item.status, item);
          return settle(op, call, outcome);
        })
        .every(Boolean);
    } catch (error) {
      if (!error.code && error.message !== 'no answer in time') throw error;
      note(error.code ?? error.message);
      for (const op of ops) settle(op, call, UNKNOWN);
      return false;
    }
  };

  /**
   * Reads during faults may be old, or be of a write that an isolated primary rolls back later; what nobody wrote is
   * always wrong.
   */
  const read = async (node) => {
    const id = ids[Math.floor(random() * idCount)];
    const answer = await request(node, 'GET', `/${INDEX}/_doc/${id}`, undefined, timeoutMs).catch(() => null);
    if (answer?.status !== 200) return true;
    counts.reads++;
    const { n } = answer.body._source;
    if (sentTo[n] !== id) dirty.push({ id, n });
    seen.set(id, { value: n, seqNo: answer.body._seq_no, term: answer.body._primary_term });
    return true;
  };

  const turn = (node) => {
    const draw = random();
    return draw < 0.1 ? read(node) : draw < 0.25 ? bulk(node) : single(node);
  };

  const client = async (k) => {
    let at = k;
    let failures = 0;
    while (!isOver) {
      if (await turn(nodes[at % nodes.length])) {
        failures = 0;
        continue;
      }
      at++;
      if (++failures === attempts) {
        counts.failed++;
        failures = 0;
      }
      await sleep(Math.min(20 * 2 ** failures, 1_000));
    }
  };
  let failure = null;
  const running = Array.from({ length: writers }, (_, k) => client(k).catch((error) => (failure ??= error)));

  return {
    index: INDEX,
    counts,
    errors,
    /** By shard: the longest time without an acknowledged write, from `from` on. */
    gaps(from) {
      return Array.from({ length: shards }, (_, shard) => {
        let last = from;
        let longest = 0;
        for (const [time, of] of acks) {
          if (of !== shard || time < from) continue;
          longest = Math.max(longest, time - last);
          last = time;
        }
        return Math.round(Math.max(longest, performance.now() - last));
      });
    },
    /** When each shard acknowledged a write after `from`. */
    wroteSince: (from) =>
      Array.from({ length: shards }, (_, shard) => acks.some(([time, of]) => of === shard && time > from)).every(
        Boolean,
      ),
    async stop() {
      isOver = true;
      await Promise.all(running);
      if (failure) throw failure;
    },
    /** Reads all documents through every node, and from every copy by search; throws for what cannot have happened. */
    async verify() {
      const wrong = [...dirty.map((one) => `read of what nobody wrote: ${JSON.stringify(one)}`)];
      for (const node of nodes) await finalReads(node, ids, story);
      let undecided = 0;
      for (const [id, ops] of story) {
        const result = explain(ops);
        if (result === 'undecided') undecided++;
        else if (result !== null) wrong.push(`${id}: ${toldOf(result)}`);
      }
      wrong.push(...(await differingCopies(cluster, ids.length)));
      if (wrong.length > 0) {
        fs.writeFileSync(
          path.join(cluster.folder, 'history.json'),
          JSON.stringify({ seed, wrong, shards: [...shardOf], story: [...story] }),
        );
        throw new Error(
          `${wrong.length} wrong (seed ${seed}, logs, data and history.json in ` +
            `${cluster.folder}):\n${wrong.slice(0, 5).join('\n')}`,
        );
      }
      return {
        documents: idCount,
        operations: [...story.values()].reduce((sum, ops) => sum + ops.length, 0),
        undecided,
      };
    },
  };
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
