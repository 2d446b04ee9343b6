// Indices and what is kept about them: creation, mappings, settings, aliases, templates, resizing, blocks, tables.
import { FIELDS } from '../fields.mjs';

const property = (r) => {
  const name = r.pick(Object.keys(FIELDS));
  const parameters = FIELDS[name].parameters(r);
  for (const own of ['analyzer', 'normalizer', 'copy_to']) delete parameters[own];
  return { type: FIELDS[name].type, ...parameters, ...r.options({ meta: () => ({ unit: 'ms' }) }, 0.05) };
};
const properties = (r) => Object.fromEntries(r.several(['f1', 'f2', 'f3', 'f4'], 4).map((name) => [name, property(r)]));
function mappings(r) {
  const templates = () => [
    {
      strings: {
        match_mapping_type: 'string',
        mapping: { type: 'keyword' },
        ...r.options({ match: () => 's_*', unmatch: () => '*_x', path_match: () => 'o.*' }),
      },
    },
  ];
  const options = r.options(
    {
      dynamic: () => r.pick([true, false, 'strict', 'runtime', 'false']),
      _source: () => r.pick([{ enabled: false }, { excludes: ['f1'] }, { includes: ['f*'] }]),
      _routing: () => ({ required: true }),
      _meta: () => ({ who: 'me' }),
      date_detection: () => false,
      numeric_detection: () => true,
      dynamic_date_formats: () => ['yyyy/MM/dd'],
      dynamic_templates: templates,
      runtime: () => ({ rt: { type: 'keyword' } }),
    },
    0.1,
  );
  return {
    ...options,
    properties: {
      ...properties(r),
      ...r.options(
        {
          ob: () => ({ properties: properties(r), ...r.options({ dynamic: () => 'strict', enabled: () => false }) }),
          ne: () => ({ type: 'nested', properties: properties(r) }),
        },
        0.2,
      ),
    },
  };
}
const settings = (r) => ({
  number_of_replicas: r.pick([0, 0, '0']),
  ...r.options(
    {
      number_of_shards: () => r.pick([1, 2, '4']),
      refresh_interval: () => r.pick(['1s', '-1', -1, '500ms']),
      'index.max_result_window': () => r.pick([100, '50']),
      mapping: () => ({ total_fields: { limit: r.pick([3, 200]) } }),
      'blocks.write': () => r.bool(),
      hidden: () => true,
      routing: () => ({ allocation: { include: { _tier_preference: null } } }),
      codec: () => r.pick(['default', 'best_compression']),
      priority: () => 5,
      analysis: () => ({ analyzer: { a1: { type: 'custom', tokenizer: 'standard', filter: ['lowercase'] } } }),
      'index.query.default_field': () => ['f1'],
      'index.requests.cache.enable': () => false,
      auto_expand_replicas: () => r.pick(['0-1', 'false']),
      max_inner_result_window: () => 50,
      'index.search.idle.after': () => '10s',
      'index.translog.durability': () => r.pick(['async', 'request']),
      'index.sort.field': () => 'f1',
    },
    0.08,
  ),
});
const aliasBody = (r) =>
  r.options(
    {
      filter: () => r.pick([{ term: { f1: 'a' } }, { range: { f2: { gte: 1 } } }, { match_all: {} }]),
      routing: () => r.pick(['1', 'a']),
      index_routing: () => 'x',
      search_routing: () => 'y,z',
      is_write_index: () => r.bool(),
      is_hidden: () => true,
    },
    0.25,
  );
const aliases = (r, p) => Object.fromEntries(r.several([`${p}-l`, `${p}-m`], 2).map((name) => [name, aliasBody(r)]));
const indexBody = (r, p) => ({
  settings: settings(r),
  ...r.options({ mappings: () => mappings(r), aliases: () => aliases(r, p) }, 0.6),
});

const name = (r, p) => r.pick([`${p}-x`, `${p}-x`, `${p}-y`]);
const target = (r, p) =>
  r.pick([`${p}-x`, `${p}-y`, `${p}-x,${p}-y`, `${p}-*`, `${p}-l`, `${p}-none`, `${p}-*,-${p}-y`]);
const call = (method, path, query, body) => ({
  method,
  path,
  ...(query ? { query } : {}),
  ...(body === undefined ? {} : { body }),
});
const names = (r) =>
  r.options(
    {
      ignore_unavailable: () => 'true',
      allow_no_indices: () => r.pick(['true', 'false']),
      expand_wildcards: () => r.pick(['open', 'closed', 'all', 'hidden', 'open,closed', 'none']),
    },
    0.15,
  );

function aliasActions(r, p) {
  const one = () =>
    r.weighted([
      [4, { add: { index: name(r, p), alias: r.pick([`${p}-l`, `${p}-m`]), ...aliasBody(r) } }],
      [1, { add: { indices: [`${p}-x`, `${p}-y`], aliases: [`${p}-l`, `${p}-m`], ...aliasBody(r) } }],
      [
        2,
        {
          remove: {
            index: name(r, p),
            alias: r.pick([`${p}-l`, `${p}-*`, `${p}-none`]),
            ...r.options({ must_exist: () => r.bool() }),
          },
        },
      ],
      [0.3, { remove_index: { index: `${p}-y` } }],
    ]);
  return call('POST', '/_aliases', undefined, { actions: r.list(1, 2, one) });
}
const templateBody = (r, p) => ({
  index_patterns: r.pick([[`${p}-x*`], [`${p}-*`], `${p}-y`]),
  ...r.options(
    {
      template: () => indexBody(r, p),
      priority: () => r.pick([1, 5, 10]),
      version: () => 3,
      _meta: () => ({ by: 'me' }),
      composed_of: () => [`${p}-c1`],
      data_stream: () => ({}),
      allow_auto_create: () => true,
      ignore_missing_component_templates: () => [`${p}-c1`],
    },
    0.3,
  ),
});
const TEMPLATES = [
  (r, p) =>
    call('PUT', `/_component_template/${p}-c1`, r.options({ create: () => 'true' }, 0.1), {
      template: indexBody(r, p),
      ...r.options({ version: () => 1, _meta: () => ({ a: 1 }) }),
    }),
  (r, p) =>
    call(
      'PUT',
      `/_index_template/${r.pick([`${p}-t1`, `${p}-t2`])}`,
      r.options({ create: () => 'true' }, 0.1),
      templateBody(r, p),
    ),
  (r, p) =>
    call(
      'GET',
      `/_index_template/${r.pick([`${p}-t1`, `${p}-*`, `${p}-none`])}`,
      r.options({ flat_settings: () => 'true' }),
    ),
  (r, p) =>
    call(
      'GET',
      `/_component_template/${r.pick([`${p}-c1`, `${p}-*`, `${p}-none`])}`,
      r.options({ flat_settings: () => 'true' }),
    ),
  (r, p) => call('POST', `/_index_template/_simulate_index/${name(r, p)}`),
  (r, p) => call('POST', `/_index_template/_simulate/${p}-t1`),
  (r, p) => call('POST', '/_index_template/_simulate', undefined, templateBody(r, p)),
  (r, p) => call('DELETE', `/_index_template/${r.pick([`${p}-t1`, `${p}-none`])}`),
  (r, p) => call('HEAD', `/_index_template/${r.pick([`${p}-t1`, `${p}-none`])}`),
  (r, p) => call('DELETE', `/_component_template/${r.pick([`${p}-c1`, `${p}-none`])}`),
  (r, p) =>
    call('PUT', `/_template/${p}-old`, r.options({ create: () => 'true', order: () => '2' }, 0.1), {
      index_patterns: [`${p}-x*`],
      order: r.below(3),
      settings: settings(r),
      ...r.options({ mappings: () => mappings(r), aliases: () => aliases(r, p), version: () => 2 }, 0.4),
    }),
  (r, p) =>
    call(
      'GET',
      `/_template/${r.pick([`${p}-old`, `${p}-*`, `${p}-none`])}`,
      r.options({ flat_settings: () => 'true' }),
    ),
  (r, p) => call('DELETE', `/_template/${r.pick([`${p}-old`, `${p}-none`])}`),
];
const CAT = {
  indices: ['health,status,index,pri,rep,docs.count,docs.deleted', 'index,pri', 'i,dc'],
  aliases: ['alias,index,filter,routing.index,routing.search,is_write_index', 'a,i'],
  shards: ['index,shard,prirep,state,docs', 'i,s,p'],
  count: ['count', undefined],
  segments: ['index,shard,prirep,segment,docs.count', 'index'],
  recovery: ['index,shard,stage,type', 'i,s'],
};
function cat(r, p) {
  const table = r.pick(Object.keys(CAT));
  const h = r.pick(CAT[table]);
  const where = table === 'aliases' ? r.pick([`${p}-l`, `${p}-*`, `${p}-none`]) : target(r, p);
  const shown = table === 'count' ? { h: 'count' } : { h: h ?? 'index' };
  return call('GET', `/_cat/${table}/${where}`, {
    ...shown,
    ...r.options(
      {
        v: () => 'true',
        format: () => r.pick(['json', 'yaml']),
        s: () => `${shown.h.split(',')[0]}:desc`,
        bytes: () => 'b',
      },
      0.25,
    ),
  });
}
const READS = [
  (r, p) =>
    call('GET', `/${target(r, p)}`, {
      ...names(r),
      ...r.options({ features: () => r.pick(['aliases', 'mappings,settings']), flat_settings: () => 'true' }, 0.2),
    }),
  (r, p) => call('HEAD', `/${target(r, p)}`, names(r)),
  (r, p) => call('GET', `/${target(r, p)}/_mapping`, names(r)),
  (r, p) =>
    call('GET', `/${target(r, p)}/_mapping/field/${r.pick(['f1', 'f*', '*', 'none', 'ob.f1'])}`, {
      ...names(r),
      ...r.options({ include_defaults: () => 'true' }),
    }),
  (r, p) =>
    call('GET', `/${target(r, p)}/_settings${r.pick(['', '/index.number_of_*', '/index.refresh_interval'])}`, {
      ...names(r),
      ...r.options({ flat_settings: () => 'true' }),
    }),
  (r, p) =>
    call('GET', `/${target(r, p)}/_alias${r.pick(['', `/${p}-l`, `/${p}-*`, `/*,-${p}-l`, `/${p}-none`])}`, names(r)),
  (r, p) => call('HEAD', `/_alias/${r.pick([`${p}-l`, `${p}-none`])}`),
  (r, p) => call('GET', `/_resolve/index/${target(r, p)}`, r.options({ expand_wildcards: () => 'all' })),
  (r, p) => call('GET', `/${target(r, p)}/_search_shards`, r.options({ routing: () => 'a' }, 0.2)),
  (r, p) =>
    call('GET', `/_cluster/state/metadata/${p}-x`, {
      filter_path: r.pick([
        'metadata.indices.*.state',
        'metadata.indices.*.aliases',
        'metadata.indices.*.mappings',
        'metadata.indices.*.routing_num_shards',
      ]),
    }),
  (r, p) =>
    call(
      'GET',
      `/_cluster/health/${r.pick([`${p}-x`, `${p}-x,${p}-y`])}`,
      r.options(
        { level: () => r.pick(['indices', 'shards']), wait_for_status: () => 'yellow', timeout: () => '100ms' },
        0.3,
      ),
    ),
  (r, p) =>
    call('GET', `/${target(r, p)}/_stats/${r.pick(['docs', 'docs,store', 'indexing'])}`, {
      filter_path: '_shards,**.docs',
      ...r.options({ level: () => r.pick(['cluster', 'indices']) }),
    }),
  cat,
];
const CHANGES = [
  (r, p) =>
    call(
      'PUT',
      `/${name(r, p)}`,
      r.options({ wait_for_active_shards: () => r.pick(['1', '0']), timeout: () => '5s' }, 0.1),
      indexBody(r, p),
    ),
  (r, p) =>
    call('PUT', `/${target(r, p)}/_mapping`, names(r), r.chance(0.8) ? { properties: properties(r) } : mappings(r)),
  (r, p) =>
    call(
      'PUT',
      `/${target(r, p)}/_settings`,
      { ...names(r), ...r.options({ preserve_existing: () => 'true' }) },
      settings(r),
    ),
  (r, p) => call(r.pick(['PUT', 'POST']), `/${name(r, p)}/_alias/${p}-l`, undefined, aliasBody(r)),
  (r, p) => call('DELETE', `/${target(r, p)}/_alias/${r.pick([`${p}-l`, `${p}-*`, `${p}-none`])}`),
  aliasActions,
  (r, p) => call('POST', `/${target(r, p)}/_close`, names(r)),
  (r, p) => call('POST', `/${target(r, p)}/_open`, names(r)),
  (r, p) => call('PUT', `/${target(r, p)}/_block/${r.pick(['write', 'read', 'metadata', 'read_only'])}`, names(r)),
  (r, p) => call('POST', `/${p}-x/_doc/1`, r.options({ refresh: () => 'true' }), { f1: 'a', new: 1 }),
  (r, p) => call('POST', `/${target(r, p)}/_refresh`, names(r)),
  (r, p) => call('POST', `/${target(r, p)}/_flush`, names(r)),
  (r, p) => call('POST', `/${target(r, p)}/_forcemerge`, { max_num_segments: '1' }),
  (r, p) => call('POST', `/${target(r, p)}/_cache/clear`, names(r)),
  (r, p) =>
    call(
      'POST',
      `/${p}-x/_${r.pick(['shrink', 'split', 'clone'])}/${p}-z`,
      undefined,
      r.options(
        {
          settings: () => ({ 'index.number_of_shards': r.pick([1, 2, 4]), 'index.number_of_replicas': 0 }),
          aliases: () => aliases(r, p),
        },
        0.7,
      ),
    ),
  (r, p) =>
    call(
      'POST',
      `/${p}-l/_rollover${r.chance(0.3) ? `/${p}-x-000007` : ''}`,
      r.options({ dry_run: () => 'true' }),
      r.options(
        {
          conditions: () =>
            r.pick([{ max_docs: 1 }, { max_age: '1d' }, { max_docs: 0 }, { min_docs: 1, max_age: '0s' }]),
          settings: () => ({ number_of_replicas: 0 }),
        },
        0.5,
      ),
    ),
  (r, p) => call('DELETE', `/${target(r, p)}`, names(r)),
];

/** Calls that make, change and read indices `<prefix>-x` and `<prefix>-y`. */
export function adminRequest(r, world) {
  const p = world.prefix;
  const steps = [call('PUT', `/${p}-x`, undefined, indexBody(r, p))];
  if (r.chance(0.3)) steps.push(call('PUT', `/${p}-y`, undefined, indexBody(r, p)));
  return [...steps, ...r.list(2, 6, () => r.pick(r.chance(0.5) ? READS : CHANGES)(r, p))];
}
/** Templates of all kinds, and indices made from them. */
export function templateRequest(r, world) {
  const p = world.prefix;
  const steps = r.list(2, 6, () => r.pick(TEMPLATES)(r, p));
  return [
    ...steps,
    call('PUT', `/${p}-x`, undefined, r.chance(0.5) ? indexBody(r, p) : {}),
    call('GET', `/${p}-x`),
    ...r.list(0, 2, () => r.pick(TEMPLATES)(r, p)),
  ];
}
