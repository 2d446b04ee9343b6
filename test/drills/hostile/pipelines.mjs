// Attacks on ingest: large documents, large texts and many elements through pipelines.
import { answerOf, send } from './send.mjs';

const KB = 1024;
const MB = 1024 * KB;
const list = (count, make) => Array.from({ length: count }, (_, i) => make(i));

/** Documents of about 10 MB: many small fields, many numbers in a list, one text. */
const FIELDS = () => Object.fromEntries(list(60_000, (i) => [`field_${i}`, `value ${i} ${'x'.repeat(130)}`]));
const NUMBERS = () => ({ a: list(240_000, (i) => i * 1000) });
const WORDS = (bytes) => ({ t: 'lorem ipsum dolor sit amet '.repeat(bytes / 27) });

const fifty = (make) => list(50, make);
const KINDS = ['set', 'append', 'uppercase', 'rename', 'script'];
const mixed = (i) => {
  const kind = KINDS[i % KINDS.length];
  if (kind === 'set') return { set: { field: `set_${i}`, value: 'v {{field_1}}' } };
  if (kind === 'append') return { append: { field: 'tags', value: [`t${i}`] } };
  if (kind === 'uppercase') return { uppercase: { field: 'field_7', ignore_missing: true } };
  if (kind === 'rename') return { rename: { field: `field_${i}`, target_field: `renamed_${i}`, ignore_missing: true } };
  return { script: { source: `ctx.n${i} = ctx.size(); ctx.remove('field_${i}')` } };
};

/** Name, processors, the document, and how often it is sent. */
export const pipelineCases = [
  ['60,000 fields of 10 MB, 50 processors', () => fifty(mixed), FIELDS],
  [
    '60,000 fields of 10 MB, 50 conditions that may change',
    () => fifty((i) => ({ set: { if: "def a = ctx.field_1; a != 'x'", field: `s${i}`, value: 1 } })),
    FIELDS,
  ],
  [
    '60,000 fields, 50 copies',
    () => fifty((i) => ({ set: { field: `copy_${i}`, copy_from: 'o' } })),
    () => ({ o: FIELDS() }),
  ],
  [
    'one text of 9 MB, 50 lowercase',
    () => fifty((i) => (i % 2 ? { lowercase: { field: 't' } } : { uppercase: { field: 't' } })),
    () => WORDS(9 * MB),
  ],
  [
    '240,000 numbers, 50 processors',
    () =>
      fifty((i) =>
        i % 2
          ? { sort: { field: 'a', order: 'desc' } }
          : { convert: { field: 'a', type: 'string', target_field: 'b' } },
      ),
    NUMBERS,
  ],
  [
    'gsub of 9 MB',
    () => [{ gsub: { field: 't', pattern: '(lor|dol)[a-z]+ (i|s)', replacement: '$2 $1' } }],
    () => WORDS(9 * MB),
  ],
  [
    'gsub of 1 MB, 50 times',
    () => fifty(() => ({ gsub: { field: 't', pattern: '[aeiou]', replacement: 'e' } })),
    () => WORDS(MB),
  ],
  [
    'gsub of texts of 9 KB, 1,000 of them',
    () => [{ gsub: { field: 't', pattern: '[aeiou]', replacement: 'e' } }],
    () => ({ t: list(1000, () => WORDS(9 * KB).t) }),
  ],
  [
    'grok of 9 MB',
    () => [{ grok: { field: 't', patterns: ['%{IP:a} %{WORD:b} %{GREEDYDATA:c}'] } }],
    () => WORDS(9 * MB),
  ],
  [
    'grok of 9 MB that backtracks',
    () => [{ grok: { field: 't', patterns: ['%{DATA:a}%{DATA:b}%{DATA:c}!'] } }],
    () => WORDS(9 * MB),
  ],
  ['redact of 1 MB', () => [{ redact: { field: 't', patterns: ['%{WORD:w}'] } }], () => WORDS(MB)],
  ['dissect of 9 MB', () => [{ dissect: { field: 't', pattern: '%{a} %{b} %{c}' } }], () => WORDS(9 * MB)],
  [
    'json of 9 MB',
    () => [{ json: { field: 't', target_field: 'o' } }],
    () => ({ t: JSON.stringify(list(200_000, (i) => ({ a: i }))) }),
  ],
  [
    'kv of 9 MB, equal keys',
    () => [{ kv: { field: 't', field_split: ' ', value_split: '=' } }],
    () => ({ t: 'key=value '.repeat(900_000) }),
  ],
  [
    'kv of 2 MB, other keys',
    () => [{ kv: { field: 't', field_split: ' ', value_split: '=' } }],
    () => ({ t: list(150_000, (i) => `k${i}=v${i}`).join(' ') }),
  ],
  [
    'csv of 9 MB, 1,000 columns',
    () => [{ csv: { field: 't', target_fields: list(1000, (i) => `c${i}`) } }],
    () => ({ t: `${'v'.repeat(9000)},`.repeat(1000) }),
  ],
  [
    'csv of 9 MB without an end quote',
    () => [{ csv: { field: 't', target_fields: ['a', 'b'] } }],
    () => ({ t: `"${'a""'.repeat(3 * MB)}` }),
  ],
  [
    'split of 9 MB',
    () => [{ split: { field: 't', separator: ' ' } }, { join: { field: 't', separator: '-' } }],
    () => WORDS(9 * MB),
  ],
  ['split of 2 MB in its characters', () => [{ split: { field: 't', separator: '' } }], () => WORDS(2 * MB)],
  [
    'html_strip of 9 MB',
    () => [{ html_strip: { field: 't' } }],
    () => ({ t: '<b>bold &amp; <i>other</i></b> '.repeat(290_000) }),
  ],
  ['urldecode of 9 MB', () => [{ urldecode: { field: 't' } }], () => ({ t: '%20a%2F'.repeat(1_300_000) })],
  [
    'foreach over 100,000 elements',
    () => [
      { foreach: { field: 'a', processor: { set: { field: '_ingest._value.b', value: '{{_ingest._value.a}}' } } } },
    ],
    () => ({ a: list(100_000, (i) => ({ a: `v${i}` })) }),
  ],
  [
    'foreach over 100,000 elements, a condition on a copy',
    () => [
      {
        foreach: { field: 'a', processor: { uppercase: { if: 'def x = 1; ctx.a != null', field: '_ingest._value' } } },
      },
    ],
    () => ({ a: list(2_000, (i) => `v${i}`) }),
  ],
  [
    'fingerprint and bytes of 60,000 fields',
    () => fifty((i) => ({ fingerprint: { fields: ['o'], target_field: `f${i}` } })),
    () => ({ o: FIELDS() }),
  ],
  [
    'dot_expander of 20,000 fields',
    () => [{ dot_expander: { field: '*' } }],
    () => Object.fromEntries(list(20_000, (i) => [`a.b${i}.c`, i])),
  ],
  ['remove by patterns of 60,000 fields', () => [{ remove: { keep: list(1000, (i) => `field_${i}`) } }], FIELDS],
  [
    'append without duplicates, 50 times 240,000',
    () => fifty((i) => ({ append: { field: 'a', value: [i, 'x'], allow_duplicates: false } })),
    NUMBERS,
  ],
  [
    'a script that loops',
    () => [{ script: { source: 'int n = 0; for (int i = 0; i < 900000; i++) { n += i % 7; } ctx.n = n;' } }],
    () => ({ a: 1 }),
    40,
  ],
  [
    'user_agent of 1 MB',
    () => [{ user_agent: { field: 't' } }],
    () => ({ t: 'Mozilla/5.0 (X11; Linux) '.repeat(40_000) }),
  ],
  [
    'date of 1,000 formats',
    () => [{ date: { field: 't', formats: list(200, (i) => `yyyy-MM-dd'${i}'HH:mm`) } }],
    () => ({ t: '2020-01-01T00:00:00Z' }),
    500,
  ],
];

const body = (value) => JSON.stringify(value);
const settings = { number_of_shards: 1, number_of_replicas: 0, 'index.mapping.total_fields.limit': 1_000_000 };

/** An index that stores documents without looking at their fields, so that ingest is measured. */
async function prepare(node, processors) {
  await send(node, 'PUT', '/ingested', body({ settings, mappings: { enabled: false } }));
  const { status, text } = await answerOf(node, 'PUT', '/_ingest/pipeline/attack', body({ processors }));
  if (status !== 200) throw new Error(text);
}

/** One document; with `count` as a bulk of so many. */
function write(node, document, count) {
  if (count === 1) return send(node, 'PUT', '/ingested/_doc/1?pipeline=attack', body(document));
  const line = `{"index":{}}\n${body(document)}\n`;
  const headers = { 'content-type': 'application/x-ndjson' };
  return send(node, 'POST', '/ingested/_bulk?pipeline=attack', line.repeat(count), headers);
}

/** All attacks on pipelines. */
export const pipelineAttacks = pipelineCases.map(([name, processors, document, count = 1]) => ({
  name: `ingest: ${name}`,
  isLong: true,
  prepare: (node) => prepare(node, processors()),
  run: async (node) => [await write(node, document(), count)],
}));
