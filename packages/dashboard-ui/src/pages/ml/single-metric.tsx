import { useEffect, useState } from 'preact/hooks';
import { type Answer, clusterCall } from '../../request/own-call.js';
import { useCall } from '../../request/use-call.js';
import { formatDateTime } from '../../state/format.js';
import { place } from '../../state/router.js';
import { Failure } from '../../widgets/failure.js';
import { Loaded } from '../../widgets/loaded.js';
import { bandsPath, readBands, splitOf } from './bands.js';
import { forecastsPath, readForecasts, showForecast } from './forecasts.js';
import { isMeasure, readSeries, type SeriesPoint, seriesBody } from './job-body.js';
import { type AnomalyRecord, type Detector, detectorName, type Job, readRecords } from './ml-answers.js';
import { SeriesChart } from './series-chart.js';

interface Feed {
  readonly job_id: string;
  readonly indices: readonly string[];
}

/** Values of a chart at most: more buckets become one value. */
const POINTS_MAX = 500;
const RECORDS_MAX = 1_000;

/** One series of a job with its anomalies, as its datafeed reads it. */
export function SingleMetric({ job }: { readonly job: Job }) {
  const feeds = useCall('/_ml/datafeeds');
  const [at, setAt] = useState(0);
  const [value, setValue] = useState('');
  const detector = job.detectors[at];
  return (
    <>
      <div class="row">
        <label class="field">
          Detector
          <select value={at} onChange={(event) => setAt(Number(event.currentTarget.value))}>
            {job.detectors.map((one, i) => (
              <option key={i} value={i}>
                {detectorName(one)}
              </option>
            ))}
          </select>
        </label>
        {detector !== undefined && splitOf(detector) !== null && (
          <label class="field">
            {`Value of ${splitOf(detector)}`}
            <input value={value} spellcheck={false} onChange={(event) => setValue(event.currentTarget.value)} />
          </label>
        )}
        <ForecastChoice job={job} />
      </div>
      <Loaded call={feeds}>
        {({ json }) => {
          const { datafeeds = [] } = (json ?? {}) as { readonly datafeeds?: readonly Feed[] };
          const feed = datafeeds.find(({ job_id: id }) => id === job.id);
          if (feed === undefined) return <p>The job has no datafeed: where its documents are is not known.</p>;
          if (detector === undefined || !isMeasure(detector.function))
            return <p>{`There is no chart for ${detector?.function ?? 'this detector'}.`}</p>;
          return <Series job={job} at={at} detector={detector} indices={feed.indices.join(',')} value={value} />;
        }}
      </Loaded>
    </>
  );
}

/** Which forecast is shown; it is in the address. */
function ForecastChoice({ job }: { readonly job: Job }) {
  const list = readForecasts(useCall(forecastsPath(job.id)).answer?.json);
  if (list.length === 0) return null;
  return (
    <label class="field">
      Forecast
      <select
        value={place.value.query.get('forecast') ?? ''}
        onChange={(event) => showForecast(job.id, event.currentTarget.value || null)}
      >
        <option value="">None</option>
        {list.map(({ id, madeAt }) => (
          <option key={id} value={id}>
            {formatDateTime(madeAt)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Props of the series. */
interface SeriesProps {
  readonly job: Job;
  /** Which detector. */
  readonly at: number;
  readonly detector: Detector;
  readonly indices: string;
  /** Value of the field that the detector is split by; empty for all. */
  readonly value: string;
}

interface ReadSeries {
  readonly points: readonly SeriesPoint[];
  readonly stepMs: number;
}

function Series({ job, at, detector, indices, value }: SeriesProps) {
  const [series, setSeries] = useState<ReadSeries | null>(null);
  const [failure, setFailure] = useState<Answer | null>(null);
  const [looks, setLooks] = useState(0);
  const records = useCall(
    `/_ml/anomaly_detectors/${encodeURIComponent(job.id)}/results/records` +
      `?size=${RECORDS_MAX}&sort=record_score&desc=true`,
  );
  const forecast = place.value.query.get('forecast');
  const name = { detectorIndex: at, detector, value };
  const split = splitOf(detector);
  const isOne = split === null || value !== '';
  const plot = useCall(isOne ? bandsPath(job, name, null) : null).answer?.json;
  const coming = useCall(isOne && forecast !== null ? bandsPath(job, name, forecast) : null).answer?.json;
  useEffect(() => {
    const abort = new AbortController();
    readPoints(job, detector, indices, split === null ? '' : value, abort.signal).then(
      ({ answer, stepMs }) => {
        setFailure(answer.status === 200 ? null : answer);
        setSeries(answer.status === 200 ? { points: readSeries(answer.json), stepMs } : null);
      },
      () => undefined,
    );
    return () => abort.abort();
  }, [job.id, at, indices, value, looks]);
  if (failure !== null)
    return <Failure answer={failure} request={`POST /${indices}/_search`} again={() => setLooks(looks + 1)} />;
  if (series === null) return <p>Loading</p>;
  const isOf = (record: AnomalyRecord): boolean =>
    record.detector_index === at &&
    (value === '' || [record.partition_field_value, record.by_field_value].includes(value));
  return (
    <>
      {forecast !== null && !isOne && <p>{`Name a value of ${split} to see what was forecast for it.`}</p>}
      <SeriesChart
        title={value === '' ? detectorName(detector) : `${detectorName(detector)}, ${value}`}
        points={series.points}
        records={readRecords(records.answer?.json).filter(isOf)}
        plot={readBands(plot, 'model_plot', series.stepMs, detector.function)}
        forecast={readBands(coming, 'model_forecast', series.stepMs, detector.function)}
      />
    </>
  );
}

/** Reads a series in steps of whole buckets of the job. */
async function readPoints(
  { timeField, spanMs }: Job,
  detector: Detector,
  indices: string,
  value: string,
  signal: AbortSignal,
): Promise<{ readonly answer: Answer; readonly stepMs: number }> {
  const path = `/${encodeURIComponent(indices)}/_search`;
  const ends = { from: { min: { field: timeField } }, to: { max: { field: timeField } } };
  const span = await clusterCall('POST', path, { body: { size: 0, aggs: ends }, signal });
  if (span.status !== 200) return { answer: span, stepMs: spanMs };
  const { from, to } =
    ((span.json ?? {}) as { readonly aggregations?: Record<string, { readonly value: number | null }> }).aggregations ??
    {};
  const buckets = Math.max(1, Math.ceil(((to?.value ?? 0) - (from?.value ?? 0)) / spanMs));
  const stepMs = Math.ceil(buckets / POINTS_MAX) * spanMs;
  const split = splitOf(detector);
  const body = seriesBody({
    timeField,
    measure: isMeasure(detector.function) ? detector.function : 'count',
    field: detector.field_name ?? '',
    only: value === '' || split === null ? null : { field: split, value },
    interval: { fixed_interval: `${stepMs / 1_000}s` },
  });
  return { answer: await clusterCall('POST', path, { body, signal }), stepMs };
}
