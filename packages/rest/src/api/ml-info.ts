import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { ACKNOWLEDGED, ADMIN, mlRoute, MONITOR, ok, requiredBody } from './ml-route.js';

function info(_request: RestRequest, { ml }: Services): RestResponse {
  return ok(ml.info());
}

async function validate(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  await ml.jobs.validate(requiredBody(request));
  return ACKNOWLEDGED;
}

async function validateDetector(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  await ml.jobs.validate({ analysis_config: { detectors: [requiredBody(request)] }, data_description: {} });
  return ACKNOWLEDGED;
}

function estimate(request: RestRequest, { ml }: Services): RestResponse {
  return ok(ml.estimateMemory(requiredBody(request)));
}

async function memory({ params, pathParams }: RestRequest, { ml }: Services): Promise<RestResponse> {
  params.time('timeout', 30_000);
  params.time('master_timeout', 30_000);
  return ok(await ml.memoryStats(pathParams['node_id']?.split(',') ?? null));
}

async function upgradeMode({ params }: RestRequest, { ml }: Services): Promise<RestResponse> {
  await ml.setUpgradeMode(params.boolean('enabled', false), params.time('timeout', 30_000));
  return ACKNOWLEDGED;
}

export const routes: readonly Route<Services>[] = [
  mlRoute('GET', '/_ml/info', 'info', `${MONITOR}info/get`, [], info),
  mlRoute('POST', '/_ml/anomaly_detectors/_validate', 'validate', `${ADMIN}job/validate`, [], validate, 'required'),
  mlRoute(
    'POST',
    '/_ml/anomaly_detectors/_validate/detector',
    'validate_detector',
    `${ADMIN}job/validate/detector`,
    [],
    validateDetector,
    'required',
  ),
  mlRoute(
    'POST',
    '/_ml/anomaly_detectors/_estimate_model_memory',
    'estimate_model_memory',
    `${ADMIN}job/estimate_model_memory`,
    [],
    estimate,
    'required',
  ),
  ...['/_ml/memory/_stats', '/_ml/memory/{node_id}/_stats'].map((path) =>
    mlRoute('GET', path, 'get_memory_stats', `${MONITOR}memory/stats/get`, ['timeout', 'master_timeout'], memory),
  ),
  mlRoute(
    'POST',
    '/_ml/set_upgrade_mode',
    'set_upgrade_mode',
    `${ADMIN}upgrade_mode`,
    ['enabled', 'timeout'],
    upgradeMode,
  ),
];
