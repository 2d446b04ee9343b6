import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { callContext } from './call-context.js';
import { ADMIN, mlRoute, MONITOR, ok, optionsOf, requiredBody } from './ml-route.js';

const JOBS = '/_ml/anomaly_detectors';

async function why({ params, pathParams }: RestRequest, { ml, clock }: Services): Promise<RestResponse> {
  return ok(await ml.why(pathParams['job_id']!, ml.resultTime('time', params.text('time'), clock.now())));
}

async function preview(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  return ok(await ml.preview(requiredBody(request), callContext(request)));
}

async function suggest(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  return ok(await ml.suggest(optionsOf(request, ['index', 'time_field', 'query']), callContext(request)));
}

async function feedback(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  const { job_id: job, record_id: record } = request.pathParams;
  return ok(await ml.feedback(job!, record!, requiredBody(request)));
}

export const routes: readonly Route<Services>[] = [
  mlRoute('GET', `${JOBS}/{job_id}/_why`, 'why_job', `${MONITOR}job/stats/get`, ['time'], why),
  mlRoute(
    'POST',
    `${JOBS}/{job_id}/results/records/{record_id}/_feedback`,
    'record_feedback',
    `${ADMIN}job/update`,
    [],
    feedback,
    'required',
  ),
  mlRoute('POST', `${JOBS}/_preview`, 'preview_job', `${ADMIN}datafeeds/preview`, [], preview, 'required'),
  mlRoute(
    ['GET', 'POST'],
    `${JOBS}/_suggest`,
    'suggest_jobs',
    `${ADMIN}datafeeds/preview`,
    ['index', 'time_field'],
    suggest,
    'optional',
  ),
];
