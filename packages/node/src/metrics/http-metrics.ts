import { HANDLING_BOUNDS_MS, type HttpStats, type RouteStats } from '@shoal/rest';
import { counter, gauge, labelled, type Metric, type Sample } from './metric.js';

const DURATION = 'shoal_http_request_duration_seconds';

function durations(route: string, { times, totalMs }: RouteStats): Sample[] {
  let sum = 0;
  const buckets = times.map((count, place): Sample => {
    const bound = HANDLING_BOUNDS_MS[place];
    sum += count;
    return {
      metricName: `${DURATION}_bucket`,
      value: sum,
      labels: { le: bound === undefined ? '+Inf' : bound / 1000, route },
    };
  });
  return [
    ...buckets,
    { metricName: `${DURATION}_sum`, value: totalMs / 1000, labels: { route } },
    { metricName: `${DURATION}_count`, value: sum, labels: { route } },
  ];
}

function answers(route: string, stats: RouteStats): Sample[] {
  return stats.answers.flatMap((value, status) =>
    value === 0 ? [] : [{ value, labels: { route, status: `${status}xx` } }],
  );
}

/** Metrics of HTTP requests by API name (`search`, `bulk`, `indices.create`) and status class. */
export function httpMetrics(http: HttpStats): Metric[] {
  const routes = [...http.routes].filter(([, stats]) => stats.answers.some((count) => count > 0));
  return [
    counter(
      'http_requests_total',
      'Answers by call and class of status; requests that no call matched are in the sum only.',
      routes.flatMap(([name, stats]) => answers(name, stats)),
    ),
    {
      name: DURATION,
      help: 'Time from the headers of a request to its answer, by call.',
      type: 'histogram',
      values: routes.flatMap(([name, stats]) => durations(name, stats)),
    },
    counter(
      'http_answers_total',
      'All answers by class of status.',
      labelled('status', http.answers.map((count, status) => [`${status}xx`, count] as const).slice(1)),
    ),
    counter('http_connections_total', 'Connections that were accepted.', http.connectionsTotal),
    counter(
      'http_connections_refused_total',
      'Connections that were closed at once, because there were too many.',
      http.connectionsRefused,
    ),
    gauge('http_connections_open', 'Connections that are open.', http.connectionsOpen),
    gauge('http_requests_running', 'Requests without an answer yet.', http.requestsCurrent),
    counter('http_sent_bytes_total', 'Bytes of bodies of answers.', http.bytesOut),
    counter('http_received_bytes_total', 'Bytes of bodies of requests.', http.bytesIn),
  ];
}
