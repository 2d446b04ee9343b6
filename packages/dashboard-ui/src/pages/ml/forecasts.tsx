import { useState } from 'preact/hooks';
import { clusterCall, reasonOf } from '../../request/own-call.js';
import { useCall } from '../../request/use-call.js';
import { formatDateTime } from '../../state/format.js';
import { goTo } from '../../state/router.js';
import { message } from '../../state/session.js';
import { DataTable } from '../../widgets/data-table.js';
import { Loaded } from '../../widgets/loaded.js';
import { resultsPath } from './bands.js';
import type { Job } from './ml-answers.js';

/** A forecast as the job keeps it; times in milliseconds since 1970. */
export interface Forecast {
  readonly id: string;
  readonly madeAt: number;
  readonly from: number;
  readonly to: number;
  readonly expiresAt: number | null;
  readonly status: string;
}

const FORECASTS_MAX = 1_000;

/** Path of all forecasts of a job, newest first. */
export const forecastsPath = (job: string): string =>
  resultsPath(job, { result_type: 'model_forecast_request_stats' }, 'forecast_create_timestamp:desc', FORECASTS_MAX);

/** Forecasts of an answer. */
export function readForecasts(answer: unknown): readonly Forecast[] {
  const { hits } = (answer ?? {}) as {
    readonly hits?: { readonly hits: readonly { readonly _source: Readonly<Record<string, unknown>> }[] };
  };
  return (hits?.hits ?? []).map(({ _source: one }) => ({
    id: String(one['forecast_id']),
    madeAt: Number(one['forecast_create_timestamp']),
    from: Number(one['forecast_start_timestamp']),
    to: Number(one['forecast_end_timestamp']),
    expiresAt: one['forecast_expiry_timestamp'] === undefined ? null : Number(one['forecast_expiry_timestamp']),
    status: String(one['forecast_status']),
  }));
}

/** Shows a forecast beside the series of its job; null shows none. */
export function showForecast(job: string, forecast: string | null): void {
  const query = new URLSearchParams({ job, tab: 'metric', ...(forecast === null ? {} : { forecast }) });
  goTo(`/app/ml?${query}`);
}

/** What a job said that will come: forecasts, made here, shown and deleted. */
export function Forecasts({ job }: { readonly job: Job }) {
  const list = useCall(forecastsPath(job.id));
  const path = `/_ml/anomaly_detectors/${encodeURIComponent(job.id)}/_forecast`;
  const remove = async (id: string): Promise<void> => {
    const answer = await clusterCall('DELETE', `${path}/${encodeURIComponent(id)}`);
    message.value = answer.status === 200 ? 'The forecast was deleted.' : reasonOf(answer);
    list.again();
  };
  return (
    <>
      <NewForecast path={path} onDone={list.again} />
      <Loaded call={list}>
        {({ json }) => (
          <DataTable
            caption="Forecasts"
            rows={readForecasts(json)}
            keyOf={({ id }) => id}
            empty="There is no forecast yet. A job that is open makes one out of what it has learnt."
            columns={[
              { name: 'Made', show: ({ madeAt }) => formatDateTime(madeAt), sort: ({ madeAt }) => madeAt },
              { name: 'From', show: ({ from }) => formatDateTime(from), sort: ({ from }) => from },
              { name: 'To', show: ({ to }) => formatDateTime(to), sort: ({ to }) => to },
              { name: 'State', show: ({ status }) => status },
              { name: 'Kept until', show: ({ expiresAt }) => (expiresAt === null ? '–' : formatDateTime(expiresAt)) },
              {
                name: 'Actions',
                show: ({ id, madeAt }) => (
                  <span class="row">
                    <button
                      type="button"
                      aria-label={`Show the forecast of ${formatDateTime(madeAt)}`}
                      onClick={() => showForecast(job.id, id)}
                    >
                      Show
                    </button>
                    <button
                      type="button"
                      aria-label={`Delete the forecast of ${formatDateTime(madeAt)}`}
                      onClick={() => void remove(id)}
                    >
                      Delete
                    </button>
                  </span>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}

/** Lets the job say what comes. */
function NewForecast({ path, onDone }: { readonly path: string; readonly onDone: () => void }) {
  const [days, setDays] = useState('1');
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const answer = await clusterCall('POST', path, { body: { duration: `${days}d` } });
    setBusy(false);
    setProblem(answer.status === 200 ? '' : reasonOf(answer));
    if (answer.status !== 200) return;
    message.value = 'The forecast was made.';
    onDone();
  };
  return (
    <form class="row" onSubmit={(event) => void submit(event as SubmitEvent)}>
      <label class="field">
        Days to forecast
        <input type="number" min="1" max="3650" value={days} onInput={(event) => setDays(event.currentTarget.value)} />
      </label>
      <button type="submit" class="primary" disabled={isBusy}>
        Make forecast
      </button>
      {problem !== '' && (
        <p role="alert" class="problem">
          {problem}
        </p>
      )}
    </form>
  );
}
