import { errors } from '@shoal/errors';
import { parseTimeValue } from '@shoal/values';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { ACKNOWLEDGED, ADMIN, mlRoute, MONITOR, ok, optionsOf, requiredBody } from './ml-route.js';

const ALL = '/_ml/anomaly_detectors/{job_id}/model_snapshots';
const ONE = `${ALL}/{snapshot_id}`;
const PAGE = ['start', 'end', 'sort', 'desc', 'from', 'size'];

function idsOf({ pathParams }: RestRequest): readonly [job: string, snapshot: string] {
  return [pathParams['job_id']!, pathParams['snapshot_id']!];
}

async function list(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  const { job_id: job, snapshot_id: snapshot } = request.pathParams;
  return ok(await ml.snapshots.list(job!, snapshot ?? null, optionsOf(request, PAGE)));
}

async function update(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  return ok(await ml.snapshots.update(...idsOf(request), requiredBody(request)));
}

async function remove(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  await ml.snapshots.remove(...idsOf(request));
  return ACKNOWLEDGED;
}

async function revert(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  const { delete_intervening_results: deletes } = optionsOf(request, ['delete_intervening_results']);
  return ok(
    await ml.snapshots.revert(...idsOf(request), [true, 'true', ''].includes(deletes as string), request.taskId),
  );
}

async function upgrade(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  request.params.accept('timeout', 'wait_for_completion');
  return ok(await ml.snapshots.upgrade(...idsOf(request)));
}

async function upgradeStats(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  request.params.boolean('allow_no_match', true);
  await ml.jobs.get(request.pathParams['job_id']!);
  return ok({ count: 0, model_snapshot_upgrades: [] });
}

async function removeExpired(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  const { requests_per_second: rate, timeout } = optionsOf(request, ['requests_per_second', 'timeout']);
  if (timeout !== undefined) parseTimeValue(String(timeout), 'timeout');
  if (rate !== undefined && !(Number(rate) > 0) && Number(rate) !== -1)
    throw errors.actionRequestValidation(
      'Validation Failed: 1: [requests_per_second] must either be -1 or greater than 0;',
    );
  await ml.removeExpired(await ml.jobs.find(request.pathParams['job_id'] ?? '_all', true));
  return ok({ deleted: true });
}

export const routes: readonly Route<Services>[] = [
  ...[ALL, ONE].map((path) =>
    mlRoute(['GET', 'POST'], path, 'get_model_snapshots', `${MONITOR}job/model_snapshots/get`, PAGE, list, 'optional'),
  ),
  mlRoute(
    'POST',
    `${ONE}/_update`,
    'update_model_snapshot',
    `${ADMIN}job/model_snapshots/update`,
    [],
    update,
    'required',
  ),
  mlRoute('DELETE', ONE, 'delete_model_snapshot', `${ADMIN}job/model_snapshots/delete`, [], remove),
  mlRoute(
    'POST',
    `${ONE}/_revert`,
    'revert_model_snapshot',
    `${ADMIN}job/model_snapshots/revert`,
    ['delete_intervening_results'],
    revert,
    'optional',
  ),
  ...['/_ml/_delete_expired_data', '/_ml/_delete_expired_data/{job_id}'].map((path) =>
    mlRoute(
      'DELETE',
      path,
      'delete_expired_data',
      `${ADMIN}delete_expired_data`,
      ['requests_per_second', 'timeout'],
      removeExpired,
      'optional',
    ),
  ),
  mlRoute(
    'GET',
    `${ONE}/_upgrade/_stats`,
    'get_model_snapshot_upgrade_stats',
    `${MONITOR}job/model_snapshots/upgrade/stats/get`,
    ['allow_no_match'],
    upgradeStats,
  ),
  mlRoute(
    'POST',
    `${ONE}/_upgrade`,
    'upgrade_job_snapshot',
    `${ADMIN}job/model_snapshots/upgrade`,
    ['timeout', 'wait_for_completion'],
    upgrade,
  ),
];
