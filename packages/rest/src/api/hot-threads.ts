import { describeNode } from '@shoal/state';
import { errors } from '@shoal/errors';
import { pathList } from '../admin/index-options.js';
import { selectNodes } from '../admin/nodes.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

const PARAMETERS = ['ignore_idle_threads', 'interval', 'snapshots', 'threads', 'timeout', 'type', 'sort'];
const TYPES = ['cpu', 'wait', 'block', 'mem'];
const ORDERS = ['total', 'cpu'];
const TIMEOUT_MS = 30_000;

function choice(request: RestRequest, name: string, choices: readonly string[], what: string): void {
  const text = request.params.text(name);
  if (text !== null && !choices.includes(text.toLowerCase()))
    throw errors.illegalArgument(`${what} not supported [${text}]`);
}

async function hotThreads(request: RestRequest, services: Services): Promise<RestResponse> {
  const { params } = request;
  choice(request, 'type', TYPES, 'type');
  choice(request, 'sort', ORDERS, 'sort order');
  params.integer('snapshots', 10);
  const call = {
    intervalMs: params.time('interval', 500),
    threads: params.integer('threads', 3),
    ignoreIdle: params.boolean('ignore_idle_threads', true),
  };
  const nodes = selectNodes(services, pathList(request, 'node_id'));
  const timeoutMs = params.time('timeout', TIMEOUT_MS) + call.intervalMs;
  const answers = await services.coordinator.callNodes(
    nodes.map(({ id }) => id),
    'hot_threads',
    call,
    { timeoutMs, signal: request.signal },
  );
  const texts = answers.flatMap(({ body, error }, i) =>
    error ? [] : [`::: ${describeNode(nodes[i]!)}\n${String(body)}\n`],
  );
  return { status: 200, text: texts.join('') };
}

export const routes: readonly Route<Services>[] = ['/_nodes/hot_threads', '/_nodes/{node_id}/hot_threads'].map(
  (path) => ({
    methods: ['GET'],
    path,
    name: 'nodes.hot_threads',
    body: 'none',
    privilege: 'cluster:monitor/nodes/hot_threads',
    parameters: PARAMETERS,
    handle: hotThreads,
  }),
);
