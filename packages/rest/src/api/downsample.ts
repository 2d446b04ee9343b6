import { downsample, type DownsampleProgress } from '@shoal/automation';
import { errors } from '@shoal/errors';
import { bodyReader } from '@shoal/json';
import { nameIndex, noSuchIndex } from '@shoal/state';
import { objectBody, refuseLimited, refuseWidening, requireNames } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { runAsTask } from './by-query.js';

function run(request: RestRequest, services: Services): Promise<RestResponse> {
  const { index: source = '', target = '' } = request.pathParams;
  requireNames(request, services, [source, target]);
  const meta = nameIndex(services.cluster.state()).get(source);
  if (!meta) throw noSuchIndex(source);
  const limited = 'Downsampling is not allowed for users when field or document level security is enabled on the index';
  refuseLimited(request, services, [meta], limited);
  const widened = 'Downsampling is not allowed when the target index has more permissions than the source index';
  refuseWidening(request, services, [meta], [target], widened);
  const reader = bodyReader('downsample_config', objectBody(request));
  reader.onlyKeys(['fixed_interval']);
  const interval = reader.optionalText('fixed_interval');
  if (interval === null) throw errors.illegalArgument('Required [fixed_interval]');
  const doors = { cluster: services.cluster, coordinator: services.coordinator };
  return runAsTask(request, services, {
    action: 'indices:admin/xpack/downsample',
    description: `downsample [${source}] -> [${target}]`,
    start(call) {
      const progress: DownsampleProgress = { total: 0, processed: 0, written: 0 };
      const done = downsample(doors, { source, target, interval }, call.signal, progress);
      return {
        done: done.then(() => ({ status: 200, json: { acknowledged: true } })),
        status: () => ({ ...progress }),
        rethrottle: () => undefined,
      };
    },
  });
}

export const routes: readonly Route<Services>[] = [
  {
    methods: ['POST'],
    path: '/{index}/_downsample/{target}',
    name: 'indices.downsample',
    body: 'optional',
    privilege: 'indices:admin/xpack/downsample',
    parameters: ['wait_for_completion', 'timeout'],
    handle: run,
  },
];
