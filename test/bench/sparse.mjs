// Searches for weighted tokens of a sparse_vector over HTTP, with early termination and without.
// Usage: node test/bench/sparse.mjs [count=200000] [tokens=24] [url= pid=]
// Without a URL it starts a node with 512 MB; with one it takes that server, 8.12 for instance, which is only asked for
// terms with boosts, as it does not know weighted_tokens.
import { startNode } from '../node-process.mjs';
import { call, closeConnections, processorSeconds, randomOf, residentMb, shown } from './nearest.mjs';

const BULK = 1000;
const QUERIES = 100;
const ROUNDS = 2;
/** Tokens there are, and of a query. */
const VOCABULARY = 30_000;
const QUERY_TOKENS = 12;

/** Tokens with weights, a few of which are in many documents, as a model for texts gives them. */
function tokensOf(seed, count) {
  const random = randomOf(Math.imul(seed + 1, 0x9e3779b1));
  const entries = Array.from({ length: count }, () => {
    const rank = Math.floor(VOCABULARY ** random()) - 1;
    return [`t${rank}`, Number((0.05 + 2.5 * random() ** 2).toFixed(3))];
  });
  return Object.fromEntries(entries);
}

const terms = (tokens) => ({
  bool: { should: Object.entries(tokens).map(([token, boost]) => ({ term: { v: { value: token, boost } } })) },
});
const QUERIES_OF = {
  weighted_tokens: (tokens) => ({ weighted_tokens: { v: { tokens } } }),
  'weighted_tokens, pruned': (tokens) => ({ weighted_tokens: { v: { tokens, pruning_config: {} } } }),
  terms,
};

async function measure({ port, pid }, name, total) {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const before = processorSeconds(pid);
    for (let i = 0; i < QUERIES; i++) {
      const body = {
        size: 10,
        _source: false,
        track_total_hits: total,
        query: QUERIES_OF[name](tokensOf(1e7 + i, QUERY_TOKENS)),
      };
      const { status, json } = await call(port, 'POST', '/sparse/_search', body);
      if (status !== 200) return console.log(`${name}: ${status} ${json.error.reason}`);
    }
    best = Math.min(best, ((processorSeconds(pid) - before) * 1000) / QUERIES);
  }
  console.log(`${name}, ${total ? 'all matches counted' : 'early termination'}: CPU ms ${shown(best)}`);
}

async function run(server, count, tokens) {
  const { port, pid } = server;
  await call(port, 'DELETE', '/sparse');
  await call(port, 'PUT', '/sparse', {
    settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '30s' },
    mappings: { properties: { v: { type: 'sparse_vector' } } },
  });
  const before = processorSeconds(pid);
  for (let i = 0; i < count; i += BULK) {
    let body = '';
    for (let d = i; d < Math.min(i + BULK, count); d++)
      body += `{"index":{"_id":"${d}"}}\n${JSON.stringify({ v: tokensOf(d, tokens) })}\n`;
    const { status, json } = await call(port, 'POST', '/sparse/_bulk', body);
    if (status !== 200 || json.errors) throw new Error(`bulk: ${status} ${JSON.stringify(json).slice(0, 300)}`);
  }
  await call(port, 'POST', '/sparse/_forcemerge?max_num_segments=1');
  await call(port, 'POST', '/sparse/_refresh');
  console.log(
    `${count} documents of ${tokens} tokens: CPU s ${shown(processorSeconds(pid) - before)}, ` +
      `RSS MB ${shown(residentMb(pid))}`,
  );
  for (const name of Object.keys(QUERIES_OF)) for (const total of [false, true]) await measure(server, name, total);
}

const given = Object.fromEntries(process.argv.slice(2).map((argument) => argument.split(/=(.*)/s)));
const sizes = [Number(given.count ?? 200_000), Number(given.tokens ?? 24)];
if (given.url === undefined) {
  const node = await startNode({ settings: { 'memory.limit': '512mb' } });
  await run(node, ...sizes);
  await node.stop();
} else {
  await run({ port: Number(new URL(given.url).port), pid: Number(given.pid) }, ...sizes);
}
closeConnections();
