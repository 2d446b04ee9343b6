import os from 'node:os';
import process from 'node:process';
import type { ServerResponse } from 'node:http';
import { VERSION } from '@shoal/values';
import { type Readiness, type ReadyState, slownessOf } from '../cluster/readiness.js';
import type { DashboardContext } from '../context.js';
import { sendJson } from '../http-answers.js';

const LEVELS: Readonly<Record<ReadyState, string>> = {
  ready: 'available',
  lost: 'unavailable',
  unreachable: 'unavailable',
  unauthorized: 'critical',
};
const SUMMARIES: Readonly<Record<ReadyState, string>> = {
  ready: 'Elasticsearch is available',
  lost: 'Elasticsearch does not answer any more',
  unreachable: 'Elasticsearch does not answer yet',
  unauthorized: 'Elasticsearch does not accept the user of the dashboard',
};

/** `GET /api/status` in the shape of Kibana 8: 200 when ready, else 503. Strangers are told the level alone. */
export function status(context: DashboardContext, answer: ServerResponse, isKnown: boolean): void {
  const readiness = context.watch.current();
  const { state } = readiness;
  const { level, summary } = levelOf(readiness);
  const headers: Record<string, string> = state === 'ready' ? {} : { 'retry-after': '5' };
  const body = isKnown ? wholeStatus(context, { level, summary }) : { status: { overall: { level } } };
  sendJson(answer, state === 'ready' ? 200 : 503, body, headers);
}

/** Level and sentence of a part, as Kibana tells them. */
interface Level {
  readonly level: string;
  readonly summary: string;
}

/** A cluster that is slow is degraded: probes leave the dashboard where it is. */
function levelOf(readiness: Readiness): Level {
  const slowness = slownessOf(readiness);
  if (slowness === null) return { level: LEVELS[readiness.state], summary: SUMMARIES[readiness.state] };
  return { level: 'degraded', summary: `Elasticsearch answers slowly: ${slowness.calls.join(' and ')}` };
}

function wholeStatus(context: DashboardContext, level: Level): object {
  return {
    name: os.hostname(),
    uuid: '00000000-0000-0000-0000-000000000000',
    version: { number: VERSION, build_hash: '', build_number: 0, build_snapshot: false },
    status: {
      overall: level,
      core: { elasticsearch: { ...level, meta: {} }, savedObjects: { ...level, meta: {} } },
      plugins: {},
    },
    metrics: metrics(context),
  };
}

function metrics({ counts, clock, startedAtMs }: DashboardContext): object {
  const memory = process.memoryUsage();
  const [one, five, fifteen] = os.loadavg();
  return {
    last_updated: new Date(clock.now()).toISOString(),
    collection_interval_in_millis: 5_000,
    process: {
      pid: process.pid,
      memory: {
        heap: { total_in_bytes: memory.heapTotal, used_in_bytes: memory.heapUsed },
        resident_set_size_in_bytes: memory.rss,
      },
      uptime_in_millis: clock.now() - startedAtMs,
    },
    os: {
      platform: os.platform(),
      load: { '1m': one, '5m': five, '15m': fifteen },
      memory: {
        total_in_bytes: os.totalmem(),
        free_in_bytes: os.freemem(),
        used_in_bytes: os.totalmem() - os.freemem(),
      },
    },
    requests: {
      total: counts.total,
      disconnects: counts.disconnects,
      status_codes: Object.fromEntries(counts.byStatus),
    },
    response_times: {
      avg_in_millis: counts.total === 0 ? 0 : counts.millis / counts.total,
      max_in_millis: counts.millisMax,
    },
    concurrent_connections: counts.running,
  };
}
