import type { TaskAnswers } from '@shoal/cluster';
import { OPEN_AND_CLOSED } from '@shoal/state';
import { errors } from '@shoal/errors';
import { INDICES_PARAMETERS, runTask, selectIndices } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

const STATUSES = ['green', 'yellow', 'red', 'all'];

/** Interval of asking the master again while nodes have not answered. */
const ASK_AGAIN_MS = 50;
const ASKS_MAX = 40;

function wait({ clock }: Services, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}

async function shardStores(request: RestRequest, services: Services): Promise<RestResponse> {
  const statuses = request.params.list('status') ?? ['yellow', 'red'];
  const bad = statuses.find((status) => !STATUSES.includes(status));
  if (bad !== undefined) throw errors.illegalArgument(`unknown cluster health status [${bad}]`);
  const uuids = selectIndices(request, services, OPEN_AND_CLOSED).map((meta) => meta.uuid);
  for (let asks = 1; ; asks++) {
    const { indices, isPending } = (await runTask(request, services, 'shard-stores', {
      uuids,
      statuses,
    })) as unknown as TaskAnswers['shard-stores'];
    if (!isPending || asks === ASKS_MAX) return { status: 200, json: { indices } };
    await wait(services, ASK_AGAIN_MS);
  }
}

export const routes: readonly Route<Services>[] = ['/_shard_stores', '/{index}/_shard_stores'].map(
  (path): Route<Services> => ({
    methods: ['GET'],
    path,
    name: 'indices.shard_stores',
    body: 'none',
    privilege: 'indices:monitor/shard_stores',
    parameters: [...INDICES_PARAMETERS, 'status'],
    handle: shardStores,
  }),
);
