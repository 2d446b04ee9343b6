import { errors } from '@shoal/errors';
import { type Dangling, danglingIndices } from '../admin/dangling.js';
import { MASTER_PARAMETERS, runTask } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

const ACCEPTED = 202;

function shown({ uuid, metadata, nodes }: Dangling, isHuman: boolean): Record<string, unknown> {
  const createdMs = Number(metadata?.settings['index.creation_date'] ?? -1);
  return {
    index_name: metadata?.name ?? null,
    index_uuid: uuid,
    ...(isHuman ? { creation_date: new Date(createdMs).toISOString() } : {}),
    creation_date_millis: createdMs,
    node_ids: nodes.map(({ id }) => id),
  };
}

async function list(request: RestRequest, services: Services): Promise<RestResponse> {
  const { header, found } = await danglingIndices(services);
  const isHuman = request.params.boolean('human', false);
  return {
    status: 200,
    json: {
      _nodes: header,
      cluster_name: services.cluster.state().clusterName,
      dangling_indices: found.map((index) => shown(index, isHuman)),
    },
  };
}

/** The dangling index of the path. Throws if there is none, or the caller does not accept what may be lost. */
async function wanted(request: RestRequest, services: Services): Promise<Dangling> {
  const uuid = request.pathParams['index_uuid']!;
  const accepts = request.params.boolean('accept_data_loss', false);
  const { found } = await danglingIndices(services);
  const index = found.find((other) => other.uuid === uuid);
  if (index === undefined) throw errors.illegalArgument(`No dangling index found for UUID [${uuid}]`);
  if (!accepts) throw errors.illegalArgument('accept_data_loss must be set to true');
  return index;
}

async function takeBack(request: RestRequest, services: Services): Promise<RestResponse> {
  const { uuid, metadata } = await wanted(request, services);
  if (metadata === null)
    throw errors.illegalArgument(
      `the metadata of the dangling index [${uuid}] is missing or damaged beside its stores, so that it cannot be ` +
        'imported: restore it from a snapshot',
    );
  return { status: ACCEPTED, json: await runTask(request, services, 'import-dangling', { metadata }) };
}

async function remove(request: RestRequest, services: Services): Promise<RestResponse> {
  const { uuid, metadata } = await wanted(request, services);
  const body = { uuid, name: metadata?.name ?? uuid };
  return { status: ACCEPTED, json: await runTask(request, services, 'delete-dangling', body) };
}

const ONE = {
  path: '/_dangling/{index_uuid}',
  body: 'none',
  parameters: [...MASTER_PARAMETERS, 'accept_data_loss'],
} as const;

export const routes: readonly Route<Services>[] = [
  {
    methods: ['GET'],
    path: '/_dangling',
    name: 'dangling_indices_list',
    body: 'none',
    privilege: 'cluster:admin/indices/dangling/list',
    parameters: [],
    handle: list,
  },
  {
    ...ONE,
    methods: ['POST'],
    name: 'dangling_indices_import',
    privilege: 'cluster:admin/indices/dangling/import',
    handle: takeBack,
  },
  {
    ...ONE,
    methods: ['DELETE'],
    name: 'dangling_indices_delete',
    privilege: 'cluster:admin/indices/dangling/delete',
    handle: remove,
  },
];
