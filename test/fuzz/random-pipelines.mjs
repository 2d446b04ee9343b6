// Pipelines and documents for the fuzzers: processors of all types with options that fit, and some that do not.
import { randomScript } from './painless-scripts.mjs';

const FIELDS = [
  ...['t', 'n', 'f', 'b', 'z', 'l', 'ls', 'o', 'o.k', 'o.l', 'o.l.0.x', 'l.0', 'l.9', 'l.x', 'd', 'm', 'a.b', 'a'],
  ...['kv', 'csv', 'js', 'ip', 'ip2', 'url', 'ua', 'host', 'log', 'zz', 'zz.y', 'x', 'x.y', 'e', 'html', 'wkt', 'by'],
  ...['_id', '_index', '_routing', '_version', '_ingest.v', '_ingest._value', '_source.t', '{{ls.0}}', '__proto__.p'],
];
const TEXTS = [
  ...[
    '',
    ' ',
    'a',
    'hello world',
    'ünï 😀',
    'a=1 b=2 a=3',
    'x;y,"z',
    '{"p":1,"q":[1,2.0]}',
    '[1,2',
    'null',
    '5',
    '-1.5',
  ],
  ...['1e400', '0x1F', 'NaN', 'true', '10.0.0.7', '::1', '1.2.3', '2024-02-29T10:11:12Z', '2024/02/29', '1709201472'],
  ...['http://u:p@example.co.uk:80/p/q.txt?a=b#f', 'a%20b+%zz', '<p>x &amp; <b>y</b></p>', '5kb', '{{t}}', '{{{o}}}'],
  ...[
    '{{#l}}{{.}},{{/l}}',
    '{{_ingest.timestamp}}',
    'CIRCLE (30 10 40)',
    '9q8yy',
    'Mozilla/5.0 Firefox/99.0',
    '__proto__',
  ],
  '127.0.0.1 - bob [10/Oct/2000:13:55:36 -0700] "GET /x HTTP/1.0" 200 2326',
];
const PATTERNS = [
  ...['a', '(l+)', '\\s+', '[,;]', '(?<=l)l', '(a+)+$', '(', '$', '', '.', '\\d{1,3}', '(?i)HELLO', 'x|y', '\\Q.\\E'],
];
const GROKS = [
  ...['%{WORD:w} %{WORD:v.x}', '%{NUMBER:n:int}', '%{IP:ip}', '%{COMBINEDAPACHELOG}', '%{GREEDYDATA:g}', '%{NOPE}'],
  ...['(?<q>[a-z]+)', '%{TIMESTAMP_ISO8601:ts}', '%{URI:u}', '%{SYSLOGLINE}', '%{MY:m}', '%{DATA:d}=%{DATA}', '('],
];
const DISSECTS = [
  '%{a} %{b}',
  '%{+a/2} %{+a/1}',
  '%{*k}=%{&k} %{?z}',
  '%{a->} %{b}',
  'x',
  '%{}',
  '%{ip} - %{u} [%{ts}]',
];
const SCRIPTS = [
  ...[
    'ctx.x = ctx.n + 1',
    "ctx.o.l.add(['y': 2])",
    "ctx.remove('t')",
    "ctx._index = 'other'",
    'ctx.x = ctx.zz.y',
    '1 / 0',
  ],
  ...[
    "field('o.k').set('s')",
    "field('l').deduplicate()",
    'ctx.l.sort(null)',
    'ctx.x = Processors.json(ctx.js)',
    'ctx.x = ctx',
  ],
  ...["ctx.x = $('zz', 7)", "metadata().routing = 'r'", 'for (int i = 0; i < 20; ++i) { ctx.ls.add(i) }', 'ctx.x ='],
  ...["field('n').transform(v -> v + 1)", "field('o').move('p.q')", 'ctx.d = ZonedDateTime.parse(ctx.d).getYear()'],
];
const CONDITIONS = [
  ...[
    'ctx.n == 5',
    'ctx.zz?.y != null',
    'ctx.t.length() > 3',
    "ctx.ls.contains('a')",
    'ctx.n = 1',
    '1',
    'ctx.zz.y',
    'true',
  ],
];

/** Makers of options that many processors have. */
function optionMakers(random) {
  const field = () => random.pick(FIELDS);
  const text = () => random.pick(TEXTS);
  const some = (make, count = 3) => Array.from({ length: 1 + random.below(count) }, make);
  const flag = () => random.chance(0.5);
  const maybe = (name, make) => (random.chance(0.4) ? { [name]: make() } : {});
  const common = () => ({ field: field(), ...maybe('target_field', field), ...maybe('ignore_missing', flag) });
  const zones = () => random.pick(['UTC', 'Europe/Oslo', '+02:00', '{{t}}', 'No/Where']);
  const formats = () =>
    random.pick(['ISO8601', 'UNIX', 'UNIX_MS', 'TAI64N', 'yyyy/MM/dd', 'dd/MMM/yyyy:HH:mm:ss Z', 'EEE', '!!']);
  return { field, text, some, flag, maybe, common, zones, formats };
}

function optionsFromAppend(random) {
  const { field, text, some, flag, maybe, common, zones, formats } = optionMakers(random);
  return {
    append: () => ({
      field: field(),
      value: flag() ? text() : some(() => value(random, 1)),
      ...maybe('allow_duplicates', flag),
    }),
    bytes: common,
    circle: () => ({
      ...common(),
      error_distance: random.pick([1, 10_000, 0, -1]),
      shape_type: random.pick(['shape', 'geo_shape']),
    }),
    community_id: () => ({
      source_ip: field(),
      destination_ip: field(),
      ...maybe('seed', () => random.below(70_000)),
      ...maybe('iana_number', field),
    }),
    convert: () => ({
      ...common(),
      type: random.pick(['integer', 'long', 'float', 'double', 'boolean', 'string', 'ip', 'auto']),
    }),
    csv: () => ({
      field: field(),
      target_fields: some(field),
      ...maybe('separator', () => random.pick([',', ';', '\t'])),
      ...maybe('quote', () => random.pick(['"', "'"])),
      ...maybe('trim', flag),
      ...maybe('empty_value', text),
    }),
    date: () => ({
      field: field(),
      formats: some(formats),
      ...maybe('timezone', zones),
      ...maybe('locale', () => random.pick(['en', 'de', 'xx'])),
      ...maybe('output_format', () => random.pick(['yyyy', 'HH:mm', 'EEEE'])),
    }),
    date_index_name: () => ({
      field: field(),
      date_rounding: random.pick(['M', 'd', 'h', 'y', 'q']),
      ...maybe('index_name_prefix', text),
      ...maybe('date_formats', () => some(formats)),
      ...maybe('timezone', zones),
    }),
  };
}

function optionsFromDissect(random, depth) {
  const { field, text, some, flag, maybe, common } = optionMakers(random);
  return {
    dissect: () => ({
      field: field(),
      pattern: random.pick(DISSECTS),
      ...maybe('append_separator', text),
      ...maybe('ignore_missing', flag),
    }),
    dot_expander: () => ({
      field: random.pick(['a.b', '*', 'zz.y', 'o.k']),
      ...maybe('path', field),
      ...maybe('override', flag),
    }),
    drop: () => ({}),
    fail: () => ({ message: text() }),
    fingerprint: () => ({
      fields: some(field),
      ...maybe('method', () => random.pick(['MD5', 'SHA-1', 'SHA-256', 'SHA-512', 'MurmurHash3'])),
      ...maybe('ignore_missing', flag),
      ...maybe('salt', text),
    }),
    foreach: () => ({ field: field(), processor: processor(random, depth + 1), ...maybe('ignore_missing', flag) }),
    geo_grid: () => ({
      ...common(),
      tile_type: random.pick(['geohash', 'geotile']),
      ...maybe('target_format', () => random.pick(['wkt', 'geojson'])),
    }),
    grok: () => ({
      field: field(),
      patterns: some(() => random.pick(GROKS)),
      pattern_definitions: { MY: random.pick(PATTERNS) },
      ...maybe('ecs_compatibility', () => random.pick(['v1', 'disabled'])),
      ...maybe('trace_match', flag),
      ...maybe('ignore_missing', flag),
    }),
  };
}

function optionsFromGsub(random) {
  const { field, text, some, flag, maybe, common } = optionMakers(random);
  return {
    gsub: () => ({
      ...common(),
      pattern: random.pick(PATTERNS),
      replacement: random.pick(['', '<$1>', '$2', '$', 'x\\$', '$0']),
    }),
    html_strip: common,
    join: () => ({ field: field(), separator: text(), ...maybe('target_field', field) }),
    json: () => ({
      field: field(),
      ...(flag()
        ? { add_to_root: true, ...maybe('add_to_root_conflict_strategy', () => random.pick(['replace', 'merge'])) }
        : maybe('target_field', field)),
      ...maybe('allow_duplicate_keys', flag),
      ...maybe('strict_json_parsing', flag),
    }),
    kv: () => ({
      ...common(),
      field_split: random.pick(PATTERNS),
      value_split: random.pick(['=', ':', ...PATTERNS]),
      ...maybe('prefix', text),
      ...maybe('include_keys', () => some(text)),
      ...maybe('exclude_keys', () => some(text)),
      ...maybe('trim_key', text),
      ...maybe('trim_value', text),
      ...maybe('strip_brackets', flag),
    }),
    lowercase: common,
    network_direction: () => ({
      source_ip: field(),
      destination_ip: field(),
      internal_networks: some(() => random.pick(['private', '10.0.0.0/8', 'loopback', '{{ip}}', 'x'])),
    }),
    pipeline: () => ({ name: random.pick(['p', 'q', 'r', '{{t}}']), ...maybe('ignore_missing_pipeline', flag) }),
  };
}

function optionsFromRedact(random) {
  const { field, text, some, flag, maybe, common } = optionMakers(random);
  return {
    redact: () => ({
      field: field(),
      patterns: some(() => random.pick(GROKS)),
      ...maybe('prefix', text),
      ...maybe('suffix', text),
      ...maybe('ignore_missing', flag),
    }),
    registered_domain: common,
    remove: () => (flag() ? { field: some(field), ...maybe('ignore_missing', flag) } : { keep: some(field) }),
    rename: () => ({
      field: field(),
      target_field: field(),
      ...maybe('override', flag),
      ...maybe('ignore_missing', flag),
    }),
    reroute: () =>
      flag()
        ? { destination: text() }
        : { ...maybe('dataset', () => some(text)), ...maybe('namespace', () => some(text)) },
    script: () => ({
      source: random.chance(0.1) ? randomScript(random) : random.pick(SCRIPTS),
      params: value(random, 1, 'object'),
    }),
    set: () => ({
      field: field(),
      ...(flag() ? { value: value(random, 2) } : { copy_from: field() }),
      ...maybe('override', flag),
      ...maybe('ignore_empty_value', flag),
    }),
    set_security_user: () => ({ field: field(), properties: ['username', 'roles'] }),
  };
}

function optionsFromSort(random) {
  const { field, flag, maybe, common } = optionMakers(random);
  return {
    sort: () => ({
      field: field(),
      ...maybe('order', () => random.pick(['asc', 'desc'])),
      ...maybe('target_field', field),
    }),
    split: () => ({ ...common(), separator: random.pick(PATTERNS), ...maybe('preserve_trailing', flag) }),
    trim: common,
    uppercase: common,
    uri_parts: () => ({
      field: field(),
      ...maybe('keep_original', flag),
      ...maybe('remove_if_successful', flag),
      ...maybe('target_field', field),
    }),
    urldecode: common,
    user_agent: () => ({ ...common(), ...maybe('extract_device_type', flag) }),
  };
}

/** Makers of the options of processors, by their types. */
const makers = (random, depth) => ({
  ...optionsFromAppend(random),
  ...optionsFromDissect(random, depth),
  ...optionsFromGsub(random),
  ...optionsFromRedact(random),
  ...optionsFromSort(random),
});

/** A value of a document or of an option. */
function value(random, depth, kind = random.pick(['text', 'text', 'number', 'other', 'list', 'object'])) {
  if (depth <= 0 || kind === 'text') return random.pick(TEXTS);
  if (kind === 'number') return random.pick([0, 1, -1, 5, 1.5, 2 ** 31, 2 ** 53, -0.1]);
  if (kind === 'other') return random.pick([true, false, null, [], {}]);
  const count = random.below(4);
  if (kind === 'list') return Array.from({ length: count }, () => value(random, depth - 1));
  return Object.fromEntries(
    Array.from({ length: count }, () => [random.pick(FIELDS).replace(/^_ingest.*/, 'k'), value(random, depth - 1)]),
  );
}

function processor(random, depth) {
  const all = makers(random, depth);
  const type = random.pick(Object.keys(all));
  const options = {
    ...all[type === 'foreach' && depth > 2 ? 'set' : type](),
    ...(random.chance(0.15) ? { if: random.pick(CONDITIONS) } : {}),
    ...(random.chance(0.1) ? { tag: 't' } : {}),
    ...(random.chance(0.5) ? { ignore_failure: true } : {}),
    ...(random.chance(0.1) && depth < 2 ? { on_failure: processors(random, depth + 1, 2) } : {}),
  };
  return { [type === 'foreach' && depth > 2 ? 'set' : type]: options };
}

function processors(random, depth, count) {
  return Array.from({ length: 1 + random.below(count) }, () => processor(random, depth));
}

/** A random pipeline of up to eight processors; about one in four does not compile. */
export function randomPipeline(random) {
  return {
    processors: processors(random, 0, 8),
    ...(random.chance(0.2) ? { on_failure: processors(random, 1, 2) } : {}),
  };
}

/** A random document with the fields that pipelines name, most of the type that their processors want. */
export function randomDocument(random) {
  const document = {
    t: 'hello world',
    n: 5,
    f: 1.5,
    b: true,
    z: null,
    l: [3, 1, 2],
    ls: ['b', 'a', 'c'],
    o: { k: 'v', l: [{ x: 1 }, { x: 2 }] },
    d: '2024-02-29T10:11:12.345Z',
    m: '2024/02/29',
    'a.b': 1,
    kv: 'a=1 b=2 a=3',
    csv: 'x,"y ""z""",,w',
    js: '{"p":1,"q":[1,2.0,null]}',
    ip: '10.0.0.7',
    ip2: '8.8.8.8',
    url: 'http://u:p@example.co.uk:80/p/q.txt?a=b#f',
    ua: 'Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0',
    host: 'www.example.co.uk',
    log: TEXTS.at(-1),
    html: '<p>x &amp; <b>y</b></p>',
    wkt: 'CIRCLE (30 10 40)',
    by: '5kb',
    e: '',
  };
  for (let changes = random.below(6); changes > 0; changes--) {
    const name = random.pick(FIELDS);
    if (!name.startsWith('_') && !name.includes('{')) document[name] = value(random, 3);
  }
  return document;
}
