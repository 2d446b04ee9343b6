// All that may differ from Elasticsearch 8.12: each row with its reason and with what it covers, as narrow as can be.

import { difference, orderedExplanation } from './differ.mjs';
import { withoutFilters, withoutModules, withSortedAliases } from './put-away.mjs';

const reasonOf = (answer) => JSON.stringify(answer.body?.error ?? '');
const reasonText = (answer) => String(answer.body?.error?.reason ?? '');
const inAnyOrder = (text) =>
  text
    .split(/[\s,[\]]+/)
    .sort()
    .join(' ');
const refused = (step, answer, pattern) => answer.status === 400 && pattern.test(reasonOf(answer));

const sortedFields = ({ body }) =>
  [body?.sort ?? []].flat().flatMap((one) => (typeof one === 'string' ? [one] : Object.keys(one ?? {})));

/** The text of an error without the place that it begins with. */
const withoutPlace = (text) => String(text).replace(/^\[\d+:\d+\] /, '');

const failuresOf = ({ body }) => JSON.stringify(body?._shards?.failures ?? '');
const JAVA_CLASS = /cannot be cast to class|org\.(?:elasticsearch|apache\.lucene)\./;
/** The first failed search of an _msearch if it is there that answers differ. */
const failedSearch = ({ body }, found) =>
  found?.path.join('.').startsWith('responses.*.error.') ? body.responses.find(({ error }) => error) : undefined;

const withoutSkipped = (body) => ({ ...body, _shards: { ...body._shards, skipped: '~' } });

/** Buckets of significant terms at most, unless a request wants others. */
const SIGNIFICANT_MAX = 10;

/**
 * Buckets of significant terms in the order of their keys; of those with the least score, of which a full list has some
 * out of many, only the scores.
 */
function sortedTies(list) {
  const least = Math.min(...list.map(({ score }) => score));
  const isCut = list.length >= SIGNIFICANT_MAX;
  return list
    .map((one) => (isCut && one.score === least ? { score: least } : one))
    .sort((a, b) => b.score - a.score || (String(a.key) < String(b.key) ? -1 : 1));
}

/** An answer with significant terms of equal scores in the order of their keys. */
function withTiesByKey(value) {
  if (value === null || typeof value !== 'object') return value;
  if (!Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withTiesByKey(entry)]));
  const list = value.map(withTiesByKey);
  const isSignificant = list.length > 0 && list.every((one) => one?.bg_count !== undefined && one.score !== undefined);
  return isSignificant ? sortedTies(list) : list;
}

/** Whether a number is a score, or one among the values by which hits are sorted. */
const isScore = (key, value) => key.endsWith('score') || (key === 'sort' && !Number.isInteger(value));

/** An answer where scores that are as far as 1e-6 from those of another are those. */
function withScoresOf(other, value, key = '') {
  if (typeof value === 'number')
    return isScore(key, other) && typeof other === 'number' && Math.abs(value - other) < 1e-6 ? other : value;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((one, i) => withScoresOf(other?.[i], one, key));
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, withScoresOf(other?.[name], entry, name)]),
  );
}

/** An answer with the values of `fields` that are copied to the field `all` in an order of their own. */
function withSortedCopies(value, key = '') {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((entry) => withSortedCopies(entry));
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [
      name,
      key === 'fields' && name === 'all' && Array.isArray(entry) ? [...entry].sort() : withSortedCopies(entry, name),
    ]),
  );
}

/** An answer where the highlights of one field are all the same. */
function withoutHighlight(field, value) {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((one) => withoutHighlight(field, one));
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) =>
      key === 'highlight' && entry?.[field] !== undefined
        ? [key, { ...entry, [field]: '~' }]
        : [key, withoutHighlight(field, entry)],
    ),
  );
}

/** The words of the highlights of a field, marked or not, in an order of their own: hit by hit. */
function wordsMarked(field, value, found = []) {
  if (value === null || typeof value !== 'object') return found;
  for (const [key, entry] of Object.entries(value)) {
    if (key === 'highlight' && entry?.[field] !== undefined) found.push(entry[field].join(' ').split(/\s+/).sort());
    else wordsMarked(field, entry, found);
  }
  return found;
}

/** Whether a request may leave out fragments: which are shown depends on the order of the text. */
const isCut = ({ body }) =>
  /"(?:number_of_fragments|fragment_size|no_match_size|max_analyzed_offset)":/.test(JSON.stringify(body));

/** The names and patterns of each object of highlighted fields in a body. */
function highlightPatterns(value) {
  if (value === null || typeof value !== 'object') return [];
  const own = value.highlight?.fields;
  const inner = Object.values(value).flatMap(highlightPatterns);
  return own === undefined || Array.isArray(own) ? inner : [Object.keys(own), ...inner];
}
const isNamedBy = (pattern, field) =>
  new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(field);

/** Whether two tables have the same rows, in the same order of the columns that they are sorted by. */
function isSameTable({ query }, theirs, ours) {
  const rows = [theirs, ours].map((text) => String(text).split('\n'));
  if (rows[0].toSorted().join('\n') !== rows[1].toSorted().join('\n')) return false;
  const shown = query?.h?.split(',') ?? [];
  const sorted = (query?.s?.split(',') ?? []).map((name) => shown.indexOf(name.replace(/:(?:asc|desc)$/, '')));
  const keys = (table) => table.map((row) => sorted.map((i) => (i < 0 ? '' : row.split(/\s+/)[i])).join(' '));
  return keys(rows[0]).join('\n') === keys(rows[1]).join('\n');
}

const QUERY_TEXT = new RegExp(
  '^(?:ConstantScore\\(|IndexOrDocValuesQuery\\(|MatchNoDocsQuery\\(|\\*:\\*|FieldExistsQuery|[\\w.]+:|[(+#]|-\\S|' +
    'ToParentBlock|_id:|function score \\(|AutomatonQuery|NOMATCH)',
);
const QUERY_IN_TEXT = [
  /^no match on (?:required|optional) clause \(/,
  /^match on prohibited clause \(/,
  /^weight\(FunctionScoreQuery\(/,
  /doesn't match id ~$/,
];

/** An answer whose explanations say nothing about the text of queries. */
function withoutQueryTexts(value) {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(withoutQueryTexts);
  const all = Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withoutQueryTexts(entry)]));
  if (typeof value.description !== 'string' || !Array.isArray(value.details)) return all;
  const kind = QUERY_IN_TEXT.find((pattern) => pattern.test(value.description));
  const description = kind ? String(kind) : QUERY_TEXT.test(value.description) ? 'query' : value.description;
  const node = { ...all, description };
  return orderedExplanation(node) ?? node;
}

/** name, reason, covers({ step, theirs, ours, found }): `found` is the first difference. */
export const MAY_DIFFER = [
  {
    name: 'a mistake of the client is a client error',
    reason: 'docs/differences.md: where 8.12 fails inside with 500, here is a client error or the answer',
    covers: ({ theirs, ours, found }) =>
      (theirs.status === 500 && ours.status > 0 && ours.status <= 400) ||
      (found?.path.join('.') === 'responses.*.status' && found.theirs === 500 && found.ours === 400),
  },
  {
    name: 'sequence numbers of nested inner hits',
    reason: 'docs/differences.md: shards of 8.12 fail inside (nested documents have none); here none are shown',
    covers: ({ step, theirs, found }) =>
      theirs.status === 200 &&
      found !== null &&
      /nested documents are not assigned sequence numbers/.test(JSON.stringify(theirs.body)) &&
      /"seq_no_primary_term":true/.test(JSON.stringify(step.body ?? null)),
  },
  {
    name: 'last digits of the scores of vectors',
    reason: 'products and distances are sums of floats, which are added in another order',
    covers: ({ step, theirs, ours }) =>
      theirs.status === 200 &&
      ours.status === 200 &&
      /"knn":/.test(JSON.stringify(step.body ?? null)) &&
      difference(theirs.body, withScoresOf(theirs.body, ours.body)) === null,
  },
  {
    name: 'shards that fail inside by nested vectors',
    reason: 'shards of 8.12 fail with [Parent query must not match any docs besides parent filter]; here they answer',
    covers: ({ step, theirs }) =>
      theirs.status === 200 &&
      /"knn":/.test(JSON.stringify(step.body ?? null)) &&
      /Parent query must not match any docs besides parent filter/.test(JSON.stringify(theirs.body._shards)),
  },
  {
    name: 'intervals by the alias of a field',
    reason: 'docs/differences.md: 8.12 looks for the name of the alias in the index and finds nothing',
    covers: ({ theirs, ours, step, found }) =>
      theirs.status === 200 &&
      ours.status === 200 &&
      /(?:^|\.)(?:hits|aggregations|count|matched)\b/.test(found?.path.join('.') ?? '') &&
      /"intervals":\{"al":/.test(JSON.stringify(step.body ?? null)),
  },
  {
    name: 'documents of the buckets of a variable_width_histogram',
    reason:
      'docs/aggregations.md: 8.12 gives sub-aggregations the documents of other buckets unless values came sorted',
    covers: ({ step, theirs, ours, found }) =>
      theirs.status === 200 &&
      ours.status === 200 &&
      /^(?:responses\.\*\.)?aggregations\..*\.buckets\.\*\./.test(found?.path.join('.') ?? '') &&
      /"variable_width_histogram":\{[^}]*\}[^}]*"agg/.test(JSON.stringify(step.body ?? null)),
  },
  {
    name: 'no class names of Java',
    reason: '8.12 tells of its own ClassCastException; here the request is refused with a sentence or answered',
    covers: ({ theirs, found }) =>
      JAVA_CLASS.test(theirs.status >= 400 ? reasonOf(theirs) : JSON.stringify(failedSearch(theirs, found) ?? '')) ||
      (found?.path.join('.') === '_shards.failures.*.reason.reason' && JAVA_CLASS.test(String(found.theirs))),
  },
  {
    name: 'no errors of Java inside of parsers',
    reason: '8.12 tells of its own NullPointerException; here the request is refused with a sentence or answered',
    covers: ({ theirs, ours }) =>
      theirs.status === 400 &&
      ours.status > 0 &&
      ours.status <= 400 &&
      /"null_pointer_exception"/.test(reasonOf(theirs)),
  },
  {
    name: 'ranges that a histogram of doubles covered',
    reason: 'the message for a negative value names the range that the histogram of 8.12 has grown to by then',
    covers: ({ found }) =>
      found !== null &&
      found.path.join('.').endsWith('failures.*.reason.reason') &&
      /^The value \S+ is out of bounds for histogram/.test(String(found.ours)),
  },
  {
    name: 'shards skipped by sorted searches',
    reason: 'docs/differences.md: 8.12 asks even few shards whether they can match when the first sort is by a field',
    covers: ({ step, theirs, ours, found }) =>
      found?.path.join('.') === '_shards.skipped' &&
      theirs.body._shards.skipped > ours.body._shards.skipped &&
      sortedFields(step).length > 0 &&
      difference(withoutSkipped(theirs.body), withoutSkipped(ours.body)) === null,
  },
  {
    name: 'columns shown beside groups of hits',
    reason: '8.12 fails inside where it adds the field of the groups to a list of docvalue_fields; here both are shown',
    covers: ({ step, theirs }) =>
      theirs.status === 200 &&
      step.body?.collapse !== undefined &&
      step.body.docvalue_fields !== undefined &&
      theirs.body._shards?.failures?.some(({ reason }) => reason.type === 'unsupported_operation_exception') === true,
  },
  {
    name: 'inner hits of groups without a name',
    reason: 'docs/differences.md: refused; 8.12 runs their searches and then ends the connection',
    covers: ({ step, ours }) => step.body?.collapse !== undefined && refused(step, ours, /inner hits need a \[name\]/),
  },
  {
    name: 'no memory left in the compared server',
    reason: 'its circuit breaker depends on its heap and on what else it does',
    covers: ({ theirs }) =>
      /circuit_breaking_exception/.test(theirs.status === 429 ? reasonOf(theirs) : failuresOf(theirs)),
  },
  {
    name: 'sub-aggregations of rare terms below other buckets',
    reason: '8.12 gives them to wrong buckets: documents of the key b count for the key a of another cell',
    covers: ({ theirs, step, found }) =>
      theirs.status === 200 &&
      found !== null &&
      /(?:\.buckets\..*){2}/.test(found.path.join('.')) &&
      /"rare_terms":\{[^{}]*\},"aggs"/.test(JSON.stringify(step.body ?? null)),
  },
  {
    name: 'cardinality of a flattened field',
    reason: '8.12 looks terms up under a wrong name: 0 where documents have five values, 5 for six',
    covers: ({ theirs, step, found }) =>
      theirs.status === 200 &&
      found?.path.at(-1) === 'value' &&
      /"cardinality":\{"field":"flat/.test(JSON.stringify(step.body ?? null)),
  },
  {
    name: 'equal scores of significant terms',
    reason: "8.12 orders them by Java's HashMap, whose order follows hash codes; here by key",
    covers: ({ theirs, ours, step, found }) =>
      theirs.status === 200 &&
      ours.status === 200 &&
      found !== null &&
      /"significant_terms"/.test(JSON.stringify(step.body ?? null)) &&
      difference(withTiesByKey(theirs.body), withTiesByKey(ours.body)) === null,
  },
  {
    name: 'equal hits of several shards below aggregations',
    reason: '8.12 takes them in the order in which shards answer',
    covers: ({ theirs, step, found }) =>
      theirs.status === 200 &&
      found !== null &&
      theirs.body._shards?.total > 1 &&
      /^aggregations\..*\.hits\.hits\.\*\./.test(found.path.join('.')) &&
      !/"top_hits":\{[^{}]*"sort"/.test(JSON.stringify(step.body ?? null)),
  },
  {
    name: 'a histogram source without an interval',
    reason: '8.12 answers one bucket with the key NaN; here the missing interval is refused',
    covers: ({ step, ours }) => refused(step, ours, /\[interval\] must be greater than 0 for \[histogram\] source/),
  },
  {
    name: 'texts of queries in explanations',
    reason: 'docs/differences.md: Lucene prints a query as it rewrote it for a segment, here it is printed as planned',
    covers: ({ theirs, ours, found }) =>
      theirs.status === 200 &&
      ours.status === 200 &&
      found !== null &&
      /(?:^|\.)_?explanation\./.test(found.path.join('.')) &&
      difference(withoutQueryTexts(theirs.body), withoutQueryTexts(ours.body)) === null,
  },
  {
    name: 'filters explained beside a profile',
    reason: '8.12 explains filters by weights then, which its cache holds and explains by their text otherwise',
    covers: ({ step, theirs, ours }) =>
      theirs.status === 200 &&
      ours.status === 200 &&
      step.body?.profile === true &&
      step.body.explain === true &&
      difference(withoutFilters(theirs.body), withoutFilters(ours.body)) === null,
  },
  {
    name: 'filtered term vectors of words that no document has',
    reason: '8.12 takes the frequency of the term where its search ended instead of 0, so that they pass the filter',
    covers: ({ step, theirs, ours, found }) =>
      theirs.status === 200 &&
      ours.status === 200 &&
      /\/_m?termvectors(?:\/|$)/.test(step.path) &&
      /"doc":/.test(JSON.stringify(step.body ?? null)) &&
      /"filter":/.test(JSON.stringify(step.body ?? null)) &&
      /(?:^|\.)term_vectors\..*\.terms\./.test(found?.path.join('.') ?? '') &&
      found.ours === undefined,
  },
  {
    name: 'texts of rewritten queries',
    reason: 'docs/differences.md: _validate/query?rewrite=true prints what Lucene made of the query for the segments',
    covers: ({ step, found, theirs, ours }) =>
      found !== null &&
      step.query?.rewrite === 'true' &&
      found.path.join('.') === 'explanations.*.explanation' &&
      theirs.body.valid === ours.body.valid,
  },
  {
    name: 'functions in explanations of _validate',
    reason: '8.12 prints the class and the hash code of each function, which has no text of its own',
    covers: ({ found }) =>
      found !== null &&
      found.path.join('.') === 'explanations.*.explanation' &&
      /org\.elasticsearch\.[\w.$]+@[0-9a-f]+/.test(String(found.theirs)),
  },
  {
    name: 'no fields of modules',
    reason: '_data_stream_timestamp belongs to the module data-streams of 8.12, which the compared core lacks',
    covers: ({ found }) => found !== null && found.path.at(-1) === '_data_stream_timestamp',
  },
  {
    name: 'no tokenizers of modules',
    reason: 'the tokenizer keyword belongs to the module analysis-common of 8.12, which the compared core lacks',
    covers: ({ theirs, ours }) =>
      theirs.status === 400 &&
      ours.status === 200 &&
      theirs.body.error?.reason === 'failed to find tokenizer under [keyword]',
  },
  {
    name: 'order of indices in an error about settings',
    reason: '8.12 lists a HashSet of indices, whose hash codes follow the identities that it draws for them',
    covers: ({ theirs, ours, found }) =>
      found?.path.at(-1) === 'reason' &&
      reasonText(theirs).startsWith("Can't update non dynamic settings") &&
      inAnyOrder(reasonText(theirs)) === inAnyOrder(reasonText(ours)),
  },
  {
    name: 'queries and aggregations of modules among those that are meant',
    reason: 'rank_feature, auto_date_histogram ... belong to modules of 8.12, which the compared core lacks',
    covers: ({ found }) =>
      found !== null &&
      /unknown query \[\w+\]|Unknown aggregation type \[\w+\]/.test(String(found.ours)) &&
      withoutModules(String(found.ours)) === String(found.theirs),
  },
  {
    name: 'profiles name what this engine runs',
    reason: 'types and descriptions of rewritten queries are those of Lucene; times are not comparable',
    covers: ({ theirs, ours }) =>
      theirs.status === 200 &&
      ours.status === 200 &&
      theirs.body.profile !== undefined &&
      ours.body.profile !== undefined &&
      difference({ ...theirs.body, profile: '~' }, { ...ours.body, profile: '~' }) === null,
  },
  {
    name: 'ignored fields of every hit',
    reason: '8.12 leaves _ignored out of some hits, of which a query on _ignored says that they have it',
    covers: ({ theirs, found }) =>
      theirs.status === 200 &&
      found !== null &&
      ['_ignored', 'ignored_field_values'].includes(found.path.at(-1)) &&
      found.theirs === undefined,
  },
  {
    name: 'doc values of ranges',
    reason: 'docvalue_fields of a range prints the bytes of its encoding, which is not documented',
    covers: ({ step, found }) =>
      found !== null &&
      /\.fields\.(?:ints|longs|doubles|dates|ips)\.\*$/.test(found.path.join('.')) &&
      /"docvalue_fields"/.test(JSON.stringify([step.body, step.query])),
  },
  {
    name: 'sorts by ranges',
    reason: 'docs/differences.md: by the bytes of their encoding, printed as text',
    covers: ({ step, theirs, found }) =>
      theirs.status === 200 &&
      found !== null &&
      found.path.join('.').startsWith('hits.hits.*') &&
      /^(?:longs|ints|doubles|dates|ips)$/m.test(sortedFields(step).join('\n')),
  },
  {
    name: 'order of names in an error',
    reason: '8.12 lists a Set.of, whose order follows a number that each virtual machine draws at its start',
    covers: ({ found }) =>
      found !== null &&
      /must be one of \[(?:(?:input|weight|contexts)(?:, |\])){3}|allowed values are \[data_/.test(
        String(found.theirs),
      ) &&
      inAnyOrder(String(found.theirs)) === inAnyOrder(String(found.ours)),
  },
  {
    name: 'regular expressions on keywords without an index',
    reason: '8.12 refuses case_insensitive there, and only there, by the name of a flag of its own',
    covers: ({ theirs }) => /Match flags not yet implemented/.test(reasonOf(theirs)),
  },
  {
    name: 'doc values of ranges, refused',
    reason: 'docs/differences.md: the bytes of ranges; 8.12 fails where they are no UTF-8',
    covers: ({ step, theirs }) =>
      /Failed trying to format bytes as (?:UTF8|IP address)/.test(JSON.stringify(theirs.body)) ||
      (/"docvalue_fields":\[[^\]]*"(?:longs|ints|doubles|dates|ips)"/.test(JSON.stringify(step.body ?? null)) &&
        /"type":"unsupported_operation_exception","reason":null/.test(JSON.stringify(theirs.body))),
  },
  {
    name: 'filters of aliases in _search_shards',
    reason: 'docs/differences.md: shown as they were written',
    covers: ({ found }) => found !== null && /^indices\.[^.]+\.filter\./.test(found.path.join('.')),
  },
  {
    name: 'order of values that are copied to a field',
    reason: '8.12 keeps the sources of a target in a Set.copyOf, whose order each virtual machine draws at its start',
    covers: ({ theirs, ours, found }) =>
      theirs.status === 200 &&
      found !== null &&
      found.path.join('.').endsWith('.fields.all.*') &&
      difference(withSortedCopies(theirs.body), withSortedCopies(ours.body)) === null,
  },
  {
    name: 'order of values that are copied to a highlighted field',
    reason: 'as above: the first fragments, and the text where nothing matches, are those of the first value',
    covers: ({ step, theirs, ours, found }) =>
      theirs.status === 200 &&
      ours.status === 200 &&
      (found?.path.join('.').endsWith('.highlight.all.*') ?? false) &&
      difference(withoutHighlight('all', theirs.body), withoutHighlight('all', ours.body)) === null &&
      (isCut(step) || difference(wordsMarked('all', theirs.body), wordsMarked('all', ours.body)) === null),
  },
  {
    name: 'columns behind ids',
    reason: 'ids of scrolls and points in time that a request repeats have lengths of their own',
    covers: ({ step, theirs, ours, found }) =>
      theirs.status === 400 &&
      ours.status === 400 &&
      /\{\{\d+\.(?:id|pit_id|_scroll_id)\}\}/.test(JSON.stringify(step.body ?? null)) &&
      (found?.path.at(-1) === 'col' || withoutPlace(found?.theirs) === withoutPlace(found?.ours)),
  },
  {
    name: 'automata in texts of queries',
    reason: '8.12 prints the class and the hash code of an automaton, which has no text of its own',
    covers: ({ theirs, found }) =>
      theirs.status === 200 && /org\.apache\.lucene\.util\.automaton\.Automaton@/.test(String(found?.theirs)),
  },
  {
    name: 'order of keys in a preview',
    reason: "8.12 previews an object by Java's HashMap, whose order follows hash codes",
    covers: ({ found }) => found !== null && /Preview of field's value: '\{/.test(String(found.theirs)),
  },
  {
    name: 'phrase suggestions over several segments',
    reason: 'docs/differences.md: 8.12 counts the terms of a field only where the shard has one segment',
    covers: ({ found, step }) =>
      found !== null &&
      /suggest\.\w+\.\*\.options\.\*/.test(found.path.join('.')) &&
      /"phrase":\{/.test(JSON.stringify(step)),
  },
  {
    name: 'one of several contradictions',
    reason: "8.12 reports the one that comes first in Java's HashMap, whose order follows hash codes",
    covers: ({ theirs, ours }) =>
      [theirs, ours].every((answer) =>
        /mapper \[[^\]]*\] cannot be changed from type|can't merge a non object mapping/.test(
          JSON.stringify(answer.body),
        ),
      ),
  },
  {
    name: 'a field that two shards add at once',
    reason:
      'the second document is refused by the mapping that the first one made, before or after it was parsed with it',
    covers: ({ theirs, ours, found }) =>
      found?.path.join('.') === 'items.*.index.error.type' &&
      theirs.body.items.some(({ index }, i) => {
        const [, name] = /^mapper \[([\w.]+)\] cannot be changed from type/.exec(index?.error?.reason ?? '') ?? [];
        const own = ours.body.items[i].index?.error;
        return own?.type === 'document_parsing_exception' && own.reason.includes(`field [${name}]`);
      }),
  },
  {
    name: 'several patterns for one highlighted field',
    reason: '8.12 takes the fields of an object in the order of a hash table that each virtual machine draws anew',
    covers({ step, theirs, ours, found }) {
      const [, field] = /(?:^|\.)highlight\.([^*]+?)(?:\.\*)?$/.exec(found?.path.join('.') ?? '') ?? [];
      return (
        theirs.status === 200 &&
        field !== undefined &&
        highlightPatterns(step.body).some((patterns) => patterns.filter((one) => isNamedBy(one, field)).length > 1) &&
        difference(withoutHighlight(field, theirs.body), withoutHighlight(field, ours.body)) === null
      );
    },
  },
  {
    name: 'more_like_this over fields that are not there',
    reason: '8.12 fails inside: [No analyzer configured for field]; here nothing matches',
    covers: ({ theirs, found }) =>
      found !== null &&
      /_shards\.(?:successful|failed)$|^responses\.\*\.error$/.test(found.path.join('.')) &&
      /No analyzer configured for field/.test(JSON.stringify(theirs.body)),
  },
  {
    name: 'order of aliases in the cluster state',
    reason: "8.12 lists them by Java's HashMap",
    covers: ({ theirs, ours, found }) =>
      found !== null &&
      /^metadata\.indices\..*\.aliases\./.test(found.path.join('.')) &&
      difference(withSortedAliases(theirs.body), withSortedAliases(ours.body)) === null,
  },
  {
    name: 'order of aliases and indices that are no list',
    reason: "8.12 lists the aliases of _search_shards by Java's HashMap, and the indices of _block by their uuids",
    covers: ({ step, theirs, ours, found }) =>
      theirs.status === 200 &&
      ours.status === 200 &&
      /^indices\.(?:[^.]+\.aliases\.|\*\.name$)/.test(found?.path.join('.') ?? '') &&
      /\/_(?:search_shards|block\/\w+)$/.test(step.path) &&
      difference(withSortedAliases(theirs.body), withSortedAliases(ours.body)) === null,
  },
  {
    name: 'random scores without a seed',
    reason: 'random by nature',
    covers: ({ step, found }) =>
      /^(?:responses\.\*\.)?(?:hits|explanation|aggregations\..*hits)\b/.test(found?.path.join('.') ?? '') &&
      /"random_score":\{(?![^{}]*"seed")/.test(JSON.stringify(step.body ?? null)),
  },
  {
    name: 'samples of random_sampler',
    reason: 'drawn with the identity of the index, and with a seed of their own where the request has none',
    covers: ({ step, theirs, ours, found }) =>
      theirs.status === 200 &&
      ours.status === 200 &&
      /"random_sampler"/.test(JSON.stringify(step.body ?? null)) &&
      (found?.path.at(-1) === 'seed'
        ? !/"random_sampler":\{[^{}]*"seed"/.test(JSON.stringify(step.body))
        : found?.path[0] === 'aggregations' &&
          !/"random_sampler":\{[^{}]*"probability":1[,}]/.test(JSON.stringify(step.body))),
  },
  {
    name: 'rows of _cat tables that sort alike',
    reason: "8.12 lists indices and aliases by Java's HashMap, whose order follows hash codes",
    covers: ({ step, theirs, ours }) =>
      step.path.startsWith('/_cat/') &&
      theirs.status === 200 &&
      ours.status === 200 &&
      isSameTable(step, theirs.body, ours.body),
  },
  {
    name: 'parsers that never end',
    reason: '8.12 does not answer some bodies at all (its parser loops); here they are refused',
    covers: ({ theirs, ours }) => theirs.status === 0 && ours.status === 400,
  },
  {
    name: 'counts of terms over several shards are exact',
    reason: 'docs/differences.md: exact counts, doc_count_error_upper_bound 0',
    covers: ({ theirs, found }) =>
      theirs.status === 200 && found !== null && /^doc_count_error_upper_bound$/.test(found.path.at(-1)),
  },
];

/** The row that covers a difference, or undefined. */
export const allowed = (difference) => MAY_DIFFER.find(({ covers }) => covers(difference));
