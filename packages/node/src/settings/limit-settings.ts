import type { NodeSetting } from './node-setting.js';

/** Settings of the limits that protect a node from overload. */
export const LIMIT_SETTINGS: readonly NodeSetting[] = [
  {
    name: 'thread_pool.search.size',
    kind: 'integer',
    fallback: null,
    description: 'Searches of shards that are worked on at once; four for each thread that holds shards when absent.',
  },
  {
    name: 'thread_pool.search.queue_size',
    kind: 'integer',
    fallback: '1000',
    description: 'Searches of shards that may wait; beyond it 429.',
  },
  {
    name: 'thread_pool.get.queue_size',
    kind: 'integer',
    fallback: '1000',
    description: 'Gets that may be under way besides 64; beyond it 429.',
  },
  {
    name: 'thread_pool.write.queue_size',
    kind: 'integer',
    fallback: '10000',
    description: 'Batches of writes that may be under way besides 64; beyond it 429.',
  },
  {
    name: 'script.allowed_types',
    kind: 'list',
    fallback: null,
    description: 'Which scripts run: `inline`, `stored`, or `none`; all when absent.',
  },
  {
    name: 'script.allowed_contexts',
    kind: 'list',
    fallback: null,
    description: 'Contexts in which scripts run, of `GET /_script_context`, or `none`; all when absent.',
  },
  {
    name: 'script.painless.regex.enabled',
    kind: 'text',
    fallback: 'limited',
    values: ['limited', 'true', 'false'],
    description: 'Whether Painless has regular expressions; their work is limited either way.',
  },
  {
    name: 'script.disable_max_compilations_rate',
    kind: 'boolean',
    fallback: 'false',
    description: 'Whether any number of scripts may be compiled at any time.',
  },
  {
    name: 'shoal.overload.delay',
    kind: 'time',
    fallback: '500ms',
    description: 'A search or get that would wait longer for its turn is refused at once (429), unless few wait.',
  },
  {
    name: 'indexing_pressure.memory.limit',
    kind: 'bytes-or-percent',
    fallback: '10%',
    description: 'Share of the memory budget for writes that are worked on; beyond it 429.',
  },
  {
    name: 'http.pipelining.max_events',
    kind: 'integer',
    fallback: '10000',
    description: 'Requests without an answer that a connection may have; it is closed beyond it.',
  },
  {
    name: 'shoal.http.max_body_length',
    kind: 'bytes',
    fallback: '10mb',
    description:
      'Largest body that has no documents: all but those of `_bulk`, writes, `_mget` and `_msearch`; beyond it 413.',
  },
  {
    name: 'shoal.http.max_connections',
    kind: 'integer',
    fallback: '10000',
    description:
      'HTTP connections at once, at most half of the files that the process may open; beyond it the idlest is closed.',
  },
  {
    name: 'shoal.http.headers_timeout',
    kind: 'time',
    fallback: '20s',
    description: 'How long a client may take to send the headers of a request.',
  },
  {
    name: 'shoal.http.body_rate_min',
    kind: 'bytes',
    fallback: '1kb',
    description:
      'Bytes a second that a body has to bring; one that is slower for ten seconds is answered with 408. 0 takes any.',
  },
  {
    name: 'shoal.rate_limit.requests_per_second',
    kind: 'integer',
    fallback: '0',
    description: 'Requests a second of each user, or of each address without security; beyond it 429. 0: any number.',
  },
];
