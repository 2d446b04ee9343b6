import { useState } from 'preact/hooks';
import { LineChart } from '../../charts/line-chart.js';
import { type Answer, clusterCall, isOfMoment, isToldByFrame, reasonOf } from '../../request/own-call.js';
import { formatAmount, formatCount, formatRate, formatTime } from '../../state/format.js';
import { pause, usePolling } from '../../state/polling.js';
import { addressOf } from '../../state/router.js';
import { clusterAwaySince, reloads } from '../../state/session.js';
import { useReadings } from '../../request/use-readings.js';
import { Failure } from '../../widgets/failure.js';
import { rateBuckets, type Reading } from '../../charts/readings.js';
import { CauseList } from '../../why/cause-list.js';
import type { Cause } from '../../why/remedy.js';

const READ_MS = 2_000;
const WHY_MS = 10_000;
/** Pause before the question that tells whether an answer was that of one moment. */
const WHY_AGAIN_MS = 2_000;
/** Age of numbers that are shown with their time. */
const OLD_MS = 15_000;
const BUCKET_MS = 30_000;
const BUCKETS = 30;

/** Home: health, what needs attention with its fix, rates of the last 15 minutes, first steps. */
export function Page() {
  const { readings, ageMs, refusal, failure, again } = useReadings(READ_MS);
  const last = readings?.at(-1);
  const isOld = clusterAwaySince.value !== null;
  return (
    <>
      <h1 tabIndex={-1}>Home</h1>
      {refusal !== null && <p class="bar">{reasonOf(refusal)}</p>}
      {failure !== null && <Failure answer={failure} request="GET /api/home" again={again} />}
      <div class={isOld ? 'old' : undefined}>
        {refusal === null && (last !== undefined || failure === null) && (
          <Health reading={last} isOld={ageMs > OLD_MS} />
        )}
        <Attention status={last?.status} />
        {refusal === null && readings !== null && <Rates readings={readings} />}
        {last?.indices === 0 && <GetStarted />}
      </div>
    </>
  );
}

function Health({ reading, isOld }: { readonly reading: Reading | undefined; readonly isOld: boolean }) {
  const facts =
    reading === undefined
      ? []
      : ([
          ['Nodes', formatCount(reading.nodes.length)],
          ['Indices', formatCount(reading.indices)],
          ['Documents', formatCount(reading.documents)],
          ['Shards', shardsText(reading.shards)],
        ] as const);
  return (
    <section aria-labelledby="health" aria-busy={reading === undefined}>
      <h2 id="health">Cluster health</h2>
      {reading === undefined ? (
        <p>Loading</p>
      ) : (
        <>
          <p class={`status health-${reading.status}`}>{reading.status}</p>
          {isOld && <p>As of {formatTime(reading.at)}.</p>}
          <dl class="facts">
            {facts.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </section>
  );
}

function shardsText({ active, starting, unassigned }: Reading['shards']): string {
  const parts = [formatCount(active)];
  if (starting > 0) parts.push(`${formatCount(starting)} starting`);
  if (unassigned > 0) parts.push(`${formatCount(unassigned)} without a node`);
  return parts.join(', ');
}

/** Causes of `_why`, the worst first, read anew when the status changes. Without the call there is no region. */
function Attention({ status }: { readonly status: Reading['status'] | undefined }) {
  const [causes, setCauses] = useState<readonly Cause[] | null>(null);
  const [refusal, setRefusal] = useState<Answer | null>(null);
  const [looks, setLooks] = useState(0);
  usePolling(
    async (signal) => {
      let answer = await clusterCall('GET', '/_why', { signal, isPolling: true });
      if (isOfMoment(answer)) {
        await pause(WHY_AGAIN_MS);
        answer = await clusterCall('GET', '/_why', { signal, isPolling: true });
      }
      if (answer.status === 200) setCauses((answer.json as { causes: readonly Cause[] }).causes);
      setRefusal(answer.status === 200 ? null : answer);
    },
    WHY_MS,
    [reloads.value, looks, status],
  );
  if (refusal !== null && [400, 404, 405].includes(refusal.status)) return null;
  return (
    <section aria-labelledby="attention" aria-busy={causes === null && refusal === null}>
      <h2 id="attention">What needs attention</h2>
      {refusal?.status === 403 && <p class="bar">{reasonOf(refusal)}</p>}
      {refusal !== null && refusal.status !== 403 && !isToldByFrame(refusal) && (
        <Failure answer={refusal} request="GET /_why" again={() => setLooks(looks + 1)} />
      )}
      {causes !== null && <CauseList causes={causes} onDone={() => setLooks(looks + 1)} />}
    </section>
  );
}

function Rates({ readings }: { readonly readings: readonly Reading[] }) {
  const [isTable, setTable] = useState(false);
  const buckets = rateBuckets(readings, BUCKET_MS, BUCKETS);
  const now = readings.at(-1);
  return (
    <section aria-labelledby="rates">
      <h2 id="rates">Ingest and search</h2>
      <figure>
        <LineChart
          lines={[
            { name: 'indexed', values: buckets.map(({ indexed }) => indexed), className: 'line-1' },
            { name: 'searches', values: buckets.map(({ searches }) => searches), className: 'line-2' },
          ]}
        />
        <figcaption>
          <span class="key key-1">{formatRate(now?.indexedPerSecond ?? null)} documents a second indexed</span>,{' '}
          <span class="key key-2">{formatRate(now?.searchesPerSecond ?? null)} searches of shards a second</span>, over
          the last 15 minutes.
        </figcaption>
      </figure>
      <button type="button" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
        Show as table
      </button>
      {isTable && (
        <div class="scroll" tabIndex={0} role="group" aria-label="Rates">
          <table>
            <caption>Averages of 30 seconds</caption>
            <thead>
              <tr>
                <th scope="col">From</th>
                <th scope="col">Documents a second</th>
                <th scope="col">Searches of shards a second</th>
              </tr>
            </thead>
            <tbody>
              {buckets.toReversed().map(({ at, indexed, searches }) => (
                <tr key={at}>
                  <th scope="row">{formatTime(at)}</th>
                  <td>{formatRate(indexed)}</td>
                  <td>{formatRate(searches)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function GetStarted() {
  return (
    <section aria-labelledby="start">
      <h2 id="start">Get started</h2>
      <p>
        The cluster has {formatAmount(0, 'index', 'indices')}. Begin with{' '}
        <a href={addressOf('/app/data')}>sample data</a>, a <a href={addressOf('/app/data?tab=upload')}>file</a> or{' '}
        <a href={addressOf('/app/console')}>requests</a>. From the folder of the program:
      </p>
      <pre tabIndex={0} aria-label="Command">
        npm run sample
      </pre>
    </section>
  );
}
