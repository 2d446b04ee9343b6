// Feeds damaged texts to the languages of the dashboard's pages: KQL and that of the console. KQL is a query or refused
// with KqlError; the console's reader, marks, completion, layout and sending never throw, and no place is outside of
// the text. More than a second of processor time for one input is a finding, too.
import { pathToFileURL } from 'node:url';
import path from 'node:path';
import { root } from '../node-process.mjs';
import { mutateText } from './mutate.mjs';
import { choices } from './random.mjs';

const SLOW_MS = 1_000;
const load = (file) => import(pathToFileURL(path.join(root, 'packages', 'dashboard-ui', 'dist', file)).href);
const [{ kqlQuery }, { KqlError }, { completeKql }] = await Promise.all(
  ['kql/kql-query.js', 'kql/parse-kql.js', 'kql/complete-kql.js'].map(load),
);
const [
  { parseConsole },
  { problemsOf },
  { completionsAt },
  { formatRequest },
  { chosenRequests, sentRequest, asCurl },
] = await Promise.all(
  ['parse-console', 'problems', 'completions', 'format-request', 'request-text'].map((name) =>
    load(`console-language/${name}.js`),
  ),
);

const TYPES = new Map([
  ['level', 'keyword'],
  ['message', 'text'],
  ['size', 'long'],
  ['@timestamp', 'date'],
  ['items', 'nested'],
  ['items.name', 'keyword'],
  ['mixed', 'conflict'],
]);
const CONTEXTS = [
  { types: TYPES, timeZone: 'Europe/Berlin' },
  { types: null, timeZone: 'UTC' },
];
const KQL = [
  'level: error',
  'level: (error or warn) and not message: "a phrase"',
  'size >= 10 and @timestamp > now-1d',
  'items: { name: a and count > 1 }',
  'log.*: "x" or host: web-* or *: y',
  'not (a or b) and "time out"',
  'a\\:b: c\\"d\\*e',
  '(((level:error)))',
];
const CONSOLE = [
  'GET /_cluster/health\n',
  'GET words/_search?size=1\n{\n  "query": { "match": { "text": "x" } }, # all\n' +
    '  "aggs": { "a": { "terms": { "field": "k" } } }\n}\n',
  'POST ${target}/_bulk?refresh\n{"index":{"_id":"1"}} // one\n{ "s": """a "b"\nc""", "n": 9007199254740993 }\n',
  'PUT /i\n{ "settings": { "number_of_shards": [1, 2, { "a": null }] }, "mappings": {} }\n\nDELETE i\n',
  '/* none */ GET _cat/indices?v&s=index\n\nGET <logs-{now/d}>/_search\n{ }\n{ }\n',
];
const VARIABLES = new Map([['target', 'made']]);

/** What must not happen with a text in KQL; null if it did not. */
function runKql({ text, context }) {
  try {
    JSON.stringify(kqlQuery(text, context));
  } catch (error) {
    if (!(error instanceof KqlError)) throw error;
  }
  completeKql(text, [...TYPES.keys()]);
  return null;
}

function placesOf(problems, text) {
  const wrong = problems.find(({ from, to }) => !(from >= 0 && from <= to && to <= text.length));
  return wrong === undefined ? null : `a place outside of the text: ${JSON.stringify(wrong)}`;
}

function runConsole({ text, at }) {
  const file = parseConsole(text);
  const outside = placesOf([...file.problems, ...problemsOf(file, text, VARIABLES)], text);
  if (outside !== null) return outside;
  const found = completionsAt(text, at);
  if (found !== null && !(found.from >= 0 && found.from <= at)) return `completes from ${found.from} at ${at}`;
  for (const request of chosenRequests(file.requests, 0, text.length)) {
    const sent = sentRequest(request, text, VARIABLES);
    asCurl(sent, 'user');
    for (const place of [0, (sent.body ?? '').length]) {
      const source = sent.placeOf(place);
      if (!(source >= 0 && source <= text.length)) return `place ${place} of the body is ${source} of the text`;
    }
    const wrong = placesOf(formatRequest(request, text), text);
    if (wrong !== null) return wrong;
  }
  return null;
}

const TARGETS = [
  {
    name: 'kql',
    make: (random) => ({ text: mutateText(random, random.pick(KQL)), context: random.pick(CONTEXTS) }),
    run: runKql,
  },
  {
    name: 'console',
    make: (random) => {
      const text = mutateText(random, random.pick(CONSOLE) + (random.chance(0.5) ? random.pick(CONSOLE) : ''));
      return { text, at: random.below(text.length + 1) };
    },
    run: runConsole,
  },
];

function verdict(target, input) {
  const start = process.cpuUsage();
  let reason;
  try {
    reason = target.run(input);
  } catch (error) {
    reason = `threw ${error?.stack ?? error}`.slice(0, 500);
  }
  const { user, system } = process.cpuUsage(start);
  const ms = (user + system) / 1000;
  return reason ?? (ms > SLOW_MS ? `took ${Math.round(ms)} ms of processor time` : null);
}

/** Runs until `inputs` inputs or `seconds` are over; see parsers.mjs. */
export function fuzzLanguages({ inputs, seconds, seed, only = null, report = () => undefined }) {
  const targets = TARGETS.filter((target) => only === null || target.name === only);
  const findings = [];
  const seen = new Set();
  const end = performance.now() + seconds * 1000;
  let done = 0;
  for (; done < inputs && (done % 256 !== 0 || performance.now() < end); done++) {
    const random = choices(seed + done);
    const target = targets[done % targets.length];
    const input = target.make(random);
    const reason = verdict(target, input);
    const kind = target.name + (reason ?? '').replace(/\d+/g, '#').slice(0, 200);
    if (reason !== null && !seen.has(kind)) {
      seen.add(kind);
      findings.push({ target: target.name, seed: seed + done, input: JSON.stringify(input.text), reason });
    }
    if (done % 500_000 === 499_999) report(done + 1, findings);
  }
  return { inputs: done, findings };
}
