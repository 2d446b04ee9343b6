import { type IndexMetadata, OPEN_ONLY } from '@shoal/state';
import type { BroadcastAnswer } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import { INDICES_PARAMETERS, selectIndices } from '../admin/index-options.js';
import { shardsHeader } from '../admin/shard-stats.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import { keepsResult } from './tasks.js';
import type { Services } from '../services.js';

const openIndices = (request: RestRequest, services: Services): IndexMetadata[] =>
  selectIndices(request, services, OPEN_ONLY).filter((meta) => meta.state === 'open');

const shardsOf = (answer: BroadcastAnswer): RestResponse => ({ status: 200, json: { _shards: shardsHeader(answer) } });

async function broadcast(
  request: RestRequest,
  services: Services,
  action: string,
  body: unknown,
): Promise<RestResponse> {
  return shardsOf(await services.coordinator.broadcast(openIndices(request, services), action, body));
}

async function refresh(request: RestRequest, services: Services): Promise<RestResponse> {
  return shardsOf(await services.coordinator.refresh(openIndices(request, services)));
}

function flush(request: RestRequest, services: Services): Promise<RestResponse> {
  const force = request.params.boolean('force', false);
  const wait = request.params.boolean('wait_if_ongoing', true);
  if (force && !wait)
    throw errors.actionRequestValidation('Validation Failed: 1: wait_if_ongoing must be true for a force flush;');
  return broadcast(request, services, 'flush', { force });
}

async function forceMerge(request: RestRequest, services: Services): Promise<RestResponse> {
  const maxNumSegments = request.params.has('max_num_segments') ? request.params.integer('max_num_segments', -1) : -1;
  const onlyExpungeDeletes = request.params.boolean('only_expunge_deletes', false);
  if (onlyExpungeDeletes && maxNumSegments >= 0) {
    throw errors.actionRequestValidation(
      'Validation Failed: 1: cannot set only_expunge_deletes and max_num_segments at the same time, those two ' +
        'parameters are mutually exclusive;',
    );
  }
  const flush = request.params.boolean('flush', true);
  const merge = (): Promise<RestResponse> =>
    broadcast(request, services, 'force_merge', {
      maxNumSegments: maxNumSegments > 0 ? maxNumSegments : null,
      onlyExpungeDeletes,
      flush,
    });
  if (request.params.boolean('wait_for_completion', true)) return merge();
  const indices = request.params.list('index') ?? [];
  const id = services.tasks.runBehind(
    {
      action: 'indices:admin/forcemerge',
      description:
        `Force-merge indices [${indices.join(', ')}], maxSegments[${maxNumSegments}], ` +
        `onlyExpungeDeletes[${onlyExpungeDeletes}], flush[${flush}]`,
      headers: request.opaqueId === null ? {} : { 'X-Opaque-Id': request.opaqueId },
      keep: keepsResult(services),
    },
    async () => answerOf(await merge()),
  );
  return { status: 200, json: { task: `${services.node.id}:${id}` } };
}

function answerOf(answer: RestResponse): unknown {
  return 'json' in answer ? answer.json : null;
}

function clearCache(request: RestRequest, services: Services): Promise<RestResponse> {
  const { params } = request;
  const body = {
    fielddata: params.boolean('fielddata', false),
    query: params.boolean('query', false),
    request: params.boolean('request', false),
    fields: params.list('fields') ?? [],
  };
  return broadcast(request, services, 'clear_cache', body);
}

function both(path: string): string[] {
  return [`/${path}`, `/{index}/${path}`];
}

export const routes: readonly Route<Services>[] = [
  ...both('_refresh').map(
    (path): Route<Services> => ({
      methods: ['GET', 'POST'],
      path,
      name: 'indices.refresh',
      body: 'none',
      privilege: 'indices:admin/refresh',
      parameters: INDICES_PARAMETERS,
      handle: refresh,
    }),
  ),
  ...both('_flush').map(
    (path): Route<Services> => ({
      methods: ['GET', 'POST'],
      path,
      name: 'indices.flush',
      body: 'none',
      privilege: 'indices:admin/flush',
      parameters: [...INDICES_PARAMETERS, 'force', 'wait_if_ongoing'],
      handle: flush,
    }),
  ),
  ...both('_forcemerge').map(
    (path): Route<Services> => ({
      methods: ['POST'],
      path,
      name: 'indices.forcemerge',
      body: 'none',
      privilege: 'indices:admin/forcemerge',
      parameters: [...INDICES_PARAMETERS, 'flush', 'max_num_segments', 'only_expunge_deletes', 'wait_for_completion'],
      handle: forceMerge,
    }),
  ),
  ...both('_cache/clear').map(
    (path): Route<Services> => ({
      methods: ['POST'],
      path,
      name: 'indices.clear_cache',
      body: 'none',
      privilege: 'indices:admin/cache/clear',
      parameters: [...INDICES_PARAMETERS, 'fielddata', 'fields', 'index', 'query', 'request'],
      handle: clearCache,
    }),
  ),
];
