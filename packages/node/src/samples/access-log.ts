import { drawFrom, type Draw, keyword, type SampleDocument, type SampleSet } from './sample-set.js';

const SIZE = 20_000;
const DAY_MS = 86_400_000;
const DAYS = 14;
const SEED = 1;
/** Part of the requests that fail, on an ordinary day and on the day of the outage. */
const FAILS = 0.004;
const FAILS_IN_OUTAGE = 0.35;
/** The outage: on the evening three days before now (UTC), for two hours. */
const OUTAGE_DAYS_AGO = 3;
const OUTAGE_HOUR = 19;
const HOUR_MS = 3_600_000;
const OUTAGE_MS = 2 * HOUR_MS;

const PAGES = ['/', '/recipes', '/search', '/recipes/soups', '/cart', '/login', '/recipes/bread', '/about', '/account'];
const FILES = ['/assets/site.css', '/assets/site.js', '/favicon.ico', '/images/logo.svg', '/images/kitchen.jpg'];
const CALLS = ['/api/cart', '/api/orders', '/api/session', '/api/suggest', '/api/ratings'];
const AGENTS = ['Firefox', 'Chrome', 'Safari', 'Edge', 'curl', 'Googlebot', 'Bingbot'];
/** Requests of each hour of the day (UTC), relative to each other. */
const DAILY = [3, 2, 2, 1, 1, 2, 4, 7, 10, 11, 11, 12, 14, 12, 11, 10, 10, 12, 15, 18, 19, 15, 9, 5];

/** A web shop's access log of the two weeks before now, with names of the Elastic Common Schema and an outage in it. */
export const accessLog: SampleSet = {
  index: 'sample-logs',
  about: "a web shop's access log of the last 14 days, with an outage three days ago",
  size: SIZE,
  properties: {
    '@timestamp': { type: 'date' },
    client: { properties: { ip: { type: 'ip' } } },
    http: {
      properties: {
        request: { properties: { method: keyword } },
        response: { properties: { status_code: { type: 'integer' }, bytes: { type: 'long' } } },
      },
    },
    url: { properties: { path: keyword } },
    user_agent: { properties: { name: keyword } },
    event: { properties: { duration_ms: { type: 'float' } } },
    message: { type: 'text' },
  },
  *documents(nowMs: number): Generator<SampleDocument> {
    const draw = drawFrom(SEED);
    const clients = Array.from({ length: 400 }, () => clientAddress(draw));
    const times = Array.from({ length: SIZE }, () => timeBefore(nowMs, draw)).toSorted((a, b) => a - b);
    for (const [i, at] of times.entries()) yield { id: String(i + 1), source: line(at, nowMs, clients, draw) };
  },
};

/** A time of the last 14 days, more often in the evening than at night. */
function timeBefore(nowMs: number, draw: Draw): number {
  for (;;) {
    const at = nowMs - draw.whole(0, DAYS * DAY_MS - 1);
    if (draw.whole(1, 19) <= DAILY[new Date(at).getUTCHours()]!) return at;
  }
}

/** Addresses of the ranges that are kept for documentation (RFC 5737, RFC 3849). */
function clientAddress(draw: Draw): string {
  if (draw.chance(0.1)) return `2001:db8::${draw.whole(1, 0xffff).toString(16)}`;
  return `${draw.one(['192.0.2', '198.51.100', '203.0.113'])}.${draw.whole(1, 254)}`;
}

function line(at: number, nowMs: number, clients: readonly string[], draw: Draw): SampleDocument['source'] {
  const ip = draw.often(clients);
  const { method, path } = request(draw);
  const outageAt = nowMs - (nowMs % DAY_MS) - OUTAGE_DAYS_AGO * DAY_MS + OUTAGE_HOUR * HOUR_MS;
  const isOutage = at >= outageAt && at < outageAt + OUTAGE_MS;
  const status = statusOf(method, isOutage, draw);
  const bytes = status >= 400 ? draw.whole(120, 900) : status === 304 ? 0 : draw.whole(300, 60_000);
  const durationMs = (draw.whole(5, 400) * (isOutage ? draw.whole(5, 30) : 1)) / 10;
  const time = new Date(at).toISOString();
  return {
    '@timestamp': time,
    client: { ip },
    http: { request: { method }, response: { status_code: status, bytes } },
    url: { path },
    user_agent: { name: draw.often(AGENTS) },
    event: { duration_ms: durationMs },
    message: `${ip} - - [${time}] "${method} ${path} HTTP/1.1" ${status} ${bytes}`,
  };
}

function request(draw: Draw): { method: string; path: string } {
  const kind = draw.whole(1, 100);
  if (kind <= 55) return { method: 'GET', path: draw.often(PAGES) };
  if (kind <= 85) return { method: 'GET', path: draw.often(FILES) };
  return { method: draw.chance(0.6) ? 'POST' : 'GET', path: draw.often(CALLS) };
}

function statusOf(method: string, isOutage: boolean, draw: Draw): number {
  if (draw.chance(isOutage ? FAILS_IN_OUTAGE : FAILS)) return draw.one([500, 502, 503, 503]);
  if (draw.chance(0.02)) return 404;
  if (method === 'POST') return draw.chance(0.05) ? 401 : 201;
  return draw.chance(0.15) ? 304 : 200;
}
