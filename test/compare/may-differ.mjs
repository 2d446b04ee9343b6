// All that may differ from Elasticsearch 8.12: each row with its reason and with what it covers, as narrow as can be.

const reasonOf = (answer) => JSON.stringify(answer.body?.error ?? '');
const refused = (step, answer, pattern) => answer.status === 400 && pattern.test(reasonOf(answer));

/** name, reason, covers({ step, theirs, ours, found }): `found` is the first difference. */
export const MAY_DIFFER = [
  {
    name: 'a mistake of the client is a client error',
    reason: 'docs/differences.md: where 8.12 fails inside with 500, here is a client error or the answer',
    covers: ({ theirs, ours }) => theirs.status === 500 && ours.status < 500,
  },
  {
    name: 'aggregations that are not in this version',
    reason: 'docs/differences.md, "Not in this version": refused by name',
    covers: ({ step, ours }) => refused(step, ours, /variable_width_histogram|random_sampler/),
  },
  {
    name: 'no class names of Java',
    reason: '8.12 tells of its own ClassCastException; here the request is refused with a sentence or answered',
    covers: ({ theirs }) =>
      theirs.status >= 400 && /cannot be cast to class|org\.elasticsearch\./.test(reasonOf(theirs)),
  },
  {
    name: 'no fields of modules',
    reason: '_data_stream_timestamp belongs to the module data-streams of 8.12, which the compared core lacks',
    covers: ({ found }) => found !== null && found.path.at(-1) === '_data_stream_timestamp',
  },
  {
    name: 'profiles name what this engine runs',
    reason: 'types and descriptions of rewritten queries are those of Lucene; times are not comparable',
    covers: ({ found, theirs }) =>
      theirs.status === 200 && found !== null && found.path.join('.').startsWith('profile.shards'),
  },
  {
    name: 'doc values of ranges',
    reason: 'docvalue_fields of a range prints the bytes of its encoding, which is not documented',
    covers: ({ found }) =>
      found !== null && /\.fields\.(?:ints|longs|doubles|dates|ips)\.\*$/.test(found.path.join('.')),
  },
  {
    name: 'order of keys in a preview',
    reason: "8.12 previews an object by Java's HashMap, whose order follows hash codes",
    covers: ({ found }) => found !== null && /Preview of field's value: '\{/.test(String(found.theirs)),
  },
  {
    name: 'random scores without a seed',
    reason: 'random by nature',
    covers: ({ step }) => /"random_score":\{\}/.test(JSON.stringify(step.body ?? null)),
  },
  {
    name: 'parsers that never end',
    reason: '8.12 does not answer some bodies at all (its parser loops); here they are refused',
    covers: ({ theirs }) => theirs.status === 0,
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
