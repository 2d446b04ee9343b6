import {
  checkIndexBlocks,
  type FlatSettings,
  flattenIndexSettings,
  type IndexMetadata,
  indexDefaults,
  type IndicesOptions,
  OPEN_AND_CLOSED,
} from '@shoal/state';
import { matchesAny } from '@shoal/values';
import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import {
  INDICES_PARAMETERS,
  MASTER_PARAMETERS,
  objectBody,
  pathList,
  READ_PARAMETERS,
  runTask,
  selectIndices,
} from '../admin/index-options.js';
import { settingsForm } from '../admin/settings-form.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

function named(settings: FlatSettings, patterns: readonly string[]): FlatSettings {
  if (patterns.length === 0 || patterns.includes('_all')) return settings;
  return Object.fromEntries(Object.entries(settings).filter(([name]) => matchesAny(patterns, name)));
}

function describe(
  meta: IndexMetadata,
  request: RestRequest,
  patterns: readonly string[],
): Record<string, unknown> | null {
  const form = settingsForm(request);
  const settings = named(meta.settings, patterns);
  if (!request.params.boolean('include_defaults', false))
    return Object.keys(settings).length === 0 ? null : { settings: form(settings) };
  return { settings: form(settings), defaults: form(named(indexDefaults(meta.settings), patterns)) };
}

function get(request: RestRequest, services: Services): RestResponse {
  const patterns = pathList(request, 'name');
  const metas = selectIndices(request, services, OPEN_AND_CLOSED);
  checkIndexBlocks(services.cluster.state(), metas, 'metadata_read');
  const json = metas.flatMap((meta) => {
    const description = describe(meta, request, patterns);
    return description ? [[meta.name, description] as const] : [];
  });
  return { status: 200, json: Object.fromEntries(json) };
}

/** Settings at the top level of the body, or below `settings`. */
function settingsOf(request: RestRequest): FlatSettings {
  const body = objectBody(request);
  const nested = body['settings'];
  if (Object.keys(body).length === 1 && isPlainObject(nested)) return flattenIndexSettings(nested);
  if (isPlainObject(nested)) throw errors.illegalArgument('cannot mix [settings] and other keys');
  return flattenIndexSettings(body);
}

async function put(request: RestRequest, services: Services): Promise<RestResponse> {
  const settings = settingsOf(request);
  const defaults: IndicesOptions = { ...OPEN_AND_CLOSED, allowNoIndices: false };
  const uuids = selectIndices(request, services, defaults).map((meta) => meta.uuid);
  const body = {
    uuids,
    settings,
    preserveExisting: request.params.boolean('preserve_existing', false),
    reopen: request.params.boolean('reopen', false),
  };
  return { status: 200, json: await runTask(request, services, 'update-settings', body) };
}

const READ = [...INDICES_PARAMETERS, ...READ_PARAMETERS, 'flat_settings', 'include_defaults'];
const WRITE = [...INDICES_PARAMETERS, ...MASTER_PARAMETERS, 'preserve_existing', 'reopen', 'flat_settings'];

const getRoutes = [
  '/_settings',
  '/_settings/{name}',
  '/{index}/_settings',
  '/{index}/_settings/{name}',
  '/{index}/_setting/{name}',
];

export const routes: readonly Route<Services>[] = [
  ...getRoutes.map(
    (path): Route<Services> => ({
      methods: ['GET'],
      path,
      name: 'indices.get_settings',
      body: 'none',
      privilege: 'indices:monitor/settings/get',
      parameters: READ,
      handle: get,
    }),
  ),
  ...['/_settings', '/{index}/_settings'].map(
    (path): Route<Services> => ({
      methods: ['PUT'],
      path,
      name: 'indices.put_settings',
      body: 'required',
      privilege: 'indices:admin/settings/update',
      parameters: WRITE,
      handle: put,
    }),
  ),
];
