import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Answers and errors as those of Elasticsearch 8.12's module lang-painless. */
const index = await searchFixture({
  mapping: {
    t: { type: 'text' },
    k: { type: 'keyword' },
    n: { type: 'long' },
    x: { type: 'double' },
    d: { type: 'date' },
    b: { type: 'boolean' },
    p: { type: 'geo_point' },
  },
  documents: [
    { t: 'quick fox', k: ['b', 'a'], n: 1, x: 0.5, d: '2024-02-29T10:11:12.345Z', b: true, p: { lat: 60, lon: 11 } },
    { t: 'slow fox', k: 'c', n: [7, 2], x: 3, d: '2024-03-31T00:00:00Z', b: false },
    { t: 'fox', n: 9_007_199_254_740_992 },
  ],
});

const by = (source: string, params = {}): object => ({ script: { script: { source, params } } });

test('script finds documents by their values', () =>
  index.finds([
    [by("doc['n'].value > params.min", { min: 1 }), ['2', '3']],
    [by("doc['n'].size() == 2 && doc['n'][1] == 7 && doc['n'].contains(7L)"), ['2']],
    [by("doc['k'].size() > 0 && doc['k'].value == 'a'"), ['1']],
    [by("doc['k'].contains('c')"), ['2']],
    [by("doc['x'].empty"), ['3']],
    [by("!doc['x'].empty && doc['x'].value * 2 == 6"), ['2']],
    [by("doc['d'].size() > 0 && doc['d'].value.getDayOfWeekEnum() == DayOfWeek.THURSDAY"), ['1']],
    [by("!doc['d'].empty && doc['d'].value.year == 2024 && doc['d'].value.monthValue == 3"), ['2']],
    [by("!doc['d'].empty && doc['d'].value.toInstant().toEpochMilli() == 1709201472345L"), ['1']],
    [by("!doc['b'].empty && doc['b'].value"), ['1']],
    [by("!doc['p'].empty && doc['p'].arcDistance(60.0, 11.0) < 1"), ['1']],
    [by("doc['n'].value == 9007199254740992L"), ['3']],
    [by("doc.containsKey('zz') == false"), ['1', '2', '3']],
    [{ bool: { must: { term: { t: 'quick' } }, filter: by("doc['n'].value == 1") } }, ['1']],
  ]));

test('script is refused where it is malformed, or fails', () =>
  index.refuses([
    [{ script: {} }, 'parsing_exception: script must be provided with a [script] query'],
    [{ script: { script: { foo: 1 } } }, 'x_content_parse_exception: [script] unknown field [foo]'],
    [
      by('1 +'),
      'query_shard_exception: failed to create query: compile error <- script_exception: compile error <- ' +
        'illegal_argument_exception: unexpected end of script. <- no_viable_alt_exception: ',
    ],
    [
      by("doc['_id'].value == 'a'"),
      'script_exception: runtime error <- illegal_argument_exception: Fielddata access on the _id ' +
        'field is disallowed, you can re-enable it by updating the dynamic cluster setting: ' +
        'indices.id_field_data.enabled',
    ],
    [
      by("doc['zz'].value == 1"),
      'script_exception: runtime error <- illegal_argument_exception: No field found for [zz] in mapping',
    ],
    [
      by("doc['x'].value == 1"),
      "script_exception: runtime error <- illegal_state_exception: A document doesn't have a value for a field! " +
        'Use doc[<field>].size()==0 to check if a document is missing a field!',
    ],
  ]));
