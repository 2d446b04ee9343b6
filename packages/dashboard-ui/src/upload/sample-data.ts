/** A set of example documents with its dashboard. */
export interface SampleSet {
  readonly name: string;
  readonly index: string;
  readonly about: string;
  readonly count: number;
  readonly mapping: Readonly<Record<string, object>>;
  readonly document: (random: () => number, at: string, i: number) => object;
  /** Panels of its dashboard, `[title, kind, field, split, measure]`. */
  readonly panels: readonly SamplePanel[];
}

interface SamplePanel {
  readonly title: string;
  readonly kind: 'date_histogram' | 'map' | 'metric' | 'terms';
  readonly field: string;
  readonly split?: string;
  readonly measure?: { readonly op: string; readonly field: string };
}

const DAY_MS = 86_400_000;
/** Documents lie in the 14 days before and the day after now. */
const SPAN_MS = 15 * DAY_MS;
const PIECE = 1_000;

/** Numbers from 0 to 1 by a seed (mulberry32, T. Ettinger): the same set each time. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const pick = <T>(random: () => number, values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
const whole = (random: () => number, from: number, to: number): number => from + Math.floor(random() * (to - from + 1));

const PLACES = [
  ['Berlin', 'DE', 52.52, 13.4],
  ['Lagos', 'NG', 6.52, 3.38],
  ['Lima', 'PE', -12.05, -77.04],
  ['Mumbai', 'IN', 19.08, 72.88],
  ['Oslo', 'NO', 59.91, 10.75],
  ['Paris', 'FR', 48.86, 2.35],
  ['Seoul', 'KR', 37.57, 126.98],
  ['Toronto', 'CA', 43.65, -79.38],
] as const;
const KINDS = ['Blue', 'Green', 'Old', 'Small', 'Sturdy'];
const KEYWORD = { type: 'keyword' };
const DATE = { type: 'date' };

const WEB_LOGS: SampleSet = {
  name: 'Web logs',
  index: 'sample-web-logs',
  about: '14,000 requests to a site: status, size, path, place',
  count: 14_000,
  mapping: {
    '@timestamp': DATE,
    host: KEYWORD,
    path: KEYWORD,
    status: { type: 'short' },
    bytes: { type: 'long' },
    millis: { type: 'float' },
    ip: { type: 'ip' },
    country: KEYWORD,
    location: { type: 'geo_point' },
    message: { type: 'text' },
  },
  document(random, at) {
    const [, country, lat, lon] = pick(random, PLACES);
    const path = pick(random, ['/', '/search', '/cart', '/login', '/docs/start', '/assets/logo.svg']);
    const status = pick(random, [200, 200, 200, 200, 200, 200, 304, 404, 404, 500, 503]);
    const bytes = status === 304 ? 0 : whole(random, 200, 40_000);
    const ip = [whole(random, 11, 220), ...Array.from({ length: 3 }, () => whole(random, 0, 255))].join('.');
    return {
      '@timestamp': at,
      host: pick(random, ['web-1', 'web-2', 'web-3']),
      path,
      status,
      bytes,
      millis: Math.round(random() * random() * 8_000) / 10,
      ip,
      country,
      location: { lat, lon },
      message: `${ip} GET ${path} ${status} ${bytes}`,
    };
  },
  panels: [
    { title: 'Requests', kind: 'date_histogram', field: '@timestamp', split: 'host' },
    { title: 'By status', kind: 'terms', field: 'status' },
    { title: 'By path', kind: 'terms', field: 'path' },
    { title: 'By place', kind: 'map', field: 'location' },
    { title: 'Average size', kind: 'metric', field: '', measure: { op: 'avg', field: 'bytes' } },
  ],
};

const FLIGHTS: SampleSet = {
  name: 'Flights',
  index: 'sample-flights',
  about: '13,000 flights: carrier, places, delay, price',
  count: 13_000,
  mapping: {
    '@timestamp': DATE,
    carrier: KEYWORD,
    flight: KEYWORD,
    from: KEYWORD,
    to: KEYWORD,
    origin: { type: 'geo_point' },
    delay_minutes: { type: 'integer' },
    is_cancelled: { type: 'boolean' },
    price: { type: 'float' },
  },
  document(random, at, i) {
    const [from, , lat, lon] = pick(random, PLACES);
    const [to] = pick(
      random,
      PLACES.filter(([name]) => name !== from),
    );
    return {
      '@timestamp': at,
      carrier: pick(random, ['Albatross', 'Northern Air', 'Petrel', 'Skua']),
      flight: `F${1_000 + i}`,
      from,
      to,
      origin: { lat, lon },
      delay_minutes: random() < 0.7 ? 0 : whole(random, 1, 36) * 10,
      is_cancelled: random() < 0.05,
      price: Math.round(5_000 + random() * 90_000) / 100,
    };
  },
  panels: [
    { title: 'Flights', kind: 'date_histogram', field: '@timestamp', split: 'carrier' },
    { title: 'From', kind: 'terms', field: 'from' },
    { title: 'Origins', kind: 'map', field: 'origin' },
    { title: 'Average delay', kind: 'metric', field: '', measure: { op: 'avg', field: 'delay_minutes' } },
  ],
};

const ORDERS: SampleSet = {
  name: 'Orders',
  index: 'sample-orders',
  about: '4,700 orders of a shop: products, customers, amounts',
  count: 4_700,
  mapping: {
    '@timestamp': DATE,
    order: { type: 'long' },
    customer: KEYWORD,
    city: KEYWORD,
    category: KEYWORD,
    product: { type: 'text', fields: { keyword: KEYWORD } },
    quantity: { type: 'integer' },
    total: { type: 'scaled_float', scaling_factor: 100 },
  },
  document(random, at, i) {
    const category = pick(random, ['Books', 'Garden', 'Music', 'Shoes']);
    const quantity = whole(random, 1, 5);
    return {
      '@timestamp': at,
      order: 500_000 + i,
      customer: pick(random, ['Ada', 'Ben', 'Chidi', 'Dora', 'Emil', 'Fatma', 'Goro', 'Hana']),
      city: pick(random, PLACES)[0],
      category,
      product: `${pick(random, KINDS)} ${category.toLowerCase()} ${whole(random, 1, 40)}`,
      quantity,
      total: Math.round(quantity * (300 + random() * 9_000)) / 100,
    };
  },
  panels: [
    { title: 'Orders', kind: 'date_histogram', field: '@timestamp', split: 'category' },
    { title: 'Revenue', kind: 'metric', field: '', measure: { op: 'sum', field: 'total' } },
    { title: 'By city', kind: 'terms', field: 'city' },
  ],
};

/** All sets. */
export const SAMPLES: readonly SampleSet[] = [WEB_LOGS, FLIGHTS, ORDERS];

/** Documents of a set with times around `now`, busier by day, in pieces. */
export async function* sampleDocuments(
  { count, document }: SampleSet,
  now: number,
): AsyncGenerator<{ readonly documents: readonly string[]; readonly part: number }> {
  const random = seededRandom(count);
  for (let from = 0; from < count; from += PIECE) {
    const documents: string[] = [];
    for (let i = from; i < Math.min(count, from + PIECE); i++) {
      const day = Math.floor(random() * (SPAN_MS / DAY_MS));
      const hour = (random() + random() + random()) / 3;
      const start = Math.floor(now / DAY_MS) * DAY_MS - 14 * DAY_MS;
      const at = new Date(start + (day + hour) * DAY_MS).toISOString();
      documents.push(JSON.stringify(document(random, at, i)));
    }
    yield { documents, part: Math.min(1, (from + PIECE) / count) };
  }
}

/** Attributes of the dashboard of a set. */
export const sampleDashboard = ({ name, index, panels }: SampleSet): object => ({
  title: name,
  range: { from: 'now-15d', to: 'now+2d' },
  text: '',
  language: 'kql',
  filters: [],
  panels: panels.map(({ title, kind, field, split = '', measure = { op: 'count', field: '' } }, i) => ({
    id: `panel-${i}`,
    title,
    kind,
    indices: index,
    field,
    split,
    measure,
    search: '',
    text: '',
    isWide: kind === 'date_histogram',
  })),
});
