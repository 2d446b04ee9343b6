import { errors } from '@shoal/errors';
import { bodyReader, type JsonObject } from '@shoal/json';
import { noSuchIndex, validateIndexName } from '@shoal/state';
import { objectBody } from '../admin/index-options.js';
import { repositoryLocation } from '../admin/repositories.js';
import { planRestore, refuseIncomplete, refuseOpen } from '../admin/restore-plan.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { allowedRestores, findSnapshot, restored } from './snapshot-lifecycle.js';

/** What a mounted index has unless the request says otherwise: its files are in the repository once more. */
const MOUNTED = { 'index.number_of_replicas': '0', 'index.auto_expand_replicas': 'false' };
/** What it always has. */
const FIXED = { 'index.blocks.write': 'true' };

/** Whether the index reads its files through the cache of the nodes. */
function isPartial(request: RestRequest): boolean {
  const storage = request.params.text('storage', 'full_copy');
  if (storage === 'full_copy' || storage === 'shared_cache') return storage === 'shared_cache';
  throw errors.illegalArgument(`unexpected value for [storage]: ${storage}`);
}

interface MountRequest {
  readonly index: string;
  readonly target: string;
  readonly settings: JsonObject;
  readonly ignored: readonly string[];
}

function parseMount(body: unknown): MountRequest {
  const reader = bodyReader('mount_searchable_snapshot', body);
  reader.onlyKeys(['index', 'renamed_index', 'index_settings', 'ignore_index_settings']);
  const index = reader.text('index');
  const target = reader.optionalText('renamed_index') ?? index;
  validateIndexName(target);
  const ignored = (reader.optionalList('ignore_index_settings') ?? []).map(String);
  return { index, target, settings: reader.optionalObject('index_settings') ?? {}, ignored };
}

/** Restores an index of a snapshot that refuses writes: its files are copied to the nodes at once. */
async function mount(request: RestRequest, services: Services): Promise<RestResponse> {
  const { repository = '', snapshot = '' } = request.pathParams;
  const mounted = { isPartial: isPartial(request) };
  const { index, target, settings, ignored } = parseMount(objectBody(request));
  const source = await findSnapshot(services, repository, snapshot);
  if (!source) throw errors.snapshotRestore(`[${repository}:${snapshot}] snapshot does not exist`);
  if (!source.indices.some(({ name }) => name === index)) throw noSuchIndex(index);
  refuseOpen(services.cluster.state(), repository, source, target);
  const body = {
    indices: [index],
    include_aliases: false,
    index_settings: settings,
    ignore_index_settings: [...ignored, 'index.routing.allocation.include._tier_preference', ...Object.keys(MOUNTED)],
  };
  const planned = planRestore(repository, source, body).map((one) => ({
    ...one,
    name: target,
    settings: { ...MOUNTED, ...one.settings, ...FIXED },
    mount: mounted,
  }));
  const indices = allowedRestores(request, planned);
  refuseIncomplete(repository, source, indices, false);
  const place = repositoryLocation(services, repository);
  return restored(request, services, services.snapshots.restore(place, source, indices), indices);
}

export const routes: readonly Route<Services>[] = [
  {
    methods: ['POST'],
    path: '/_snapshot/{repository}/{snapshot}/_mount',
    name: 'searchable_snapshots.mount',
    body: 'required',
    privilege: 'cluster:admin/snapshot/mount',
    parameters: ['master_timeout', 'wait_for_completion', 'storage'],
    handle: mount,
  },
];
