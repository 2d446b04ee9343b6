import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchOf, sectionTable } from '../../testing/section-table.js';

const field = (name: string) => ({ field: name, format: null, includeUnmapped: false });

test('the source is shown, hidden, or shown in part', () =>
  sectionTable(
    'source',
    [
      [{}, null],
      [{ _source: false }, { isShown: false, includes: [], excludes: [] }],
      [{ _source: 'a.*' }, { isShown: true, includes: ['a.*'], excludes: [] }],
      [{ _source: { excludes: ['b'] } }, { isShown: true, includes: [], excludes: ['b'] }],
    ],
    [
      [
        { _source: 12 },
        'parsing_exception: Expected one of [VALUE_BOOLEAN, VALUE_STRING, START_ARRAY, START_OBJECT] but found ' +
          '[VALUE_NUMBER]',
      ],
    ],
  ));

test('fields and columns are named, with formats', () => {
  sectionTable('fields', [[{ fields: ['a'] }, [field('a')]]]);
  sectionTable(
    'docvalueFields',
    [[{ docvalue_fields: [{ field: 'd', format: 'year' }] }, [{ ...field('d'), format: 'year' }]]],
    [
      [{ docvalue_fields: 'd' }, 'parsing_exception: Unknown key for a VALUE_STRING in [docvalue_fields].'],
      [{ fields: [{ name: 'a' }] }, 'x_content_parse_exception: [fetch_field_and_format] unknown field [name]'],
    ],
  );
});

test('stored fields hide the source that they do not name', () => {
  sectionTable(
    'storedFields',
    [
      [{}, null],
      [{ stored_fields: 'k' }, { isNone: false, names: ['k'] }],
      [{ stored_fields: '_none_' }, { isNone: true, names: [] }],
    ],
    [[{ stored_fields: ['_none_', 'k'] }, 'illegal_argument_exception: cannot combine _none_ with other fields']],
  );
  assert.equal(searchOf({ stored_fields: ['k'] }).fetch.source.isShown, false);
  assert.equal(searchOf({ stored_fields: ['k'], _source: true }).fetch.source.isShown, true);
});

test('script_fields have a script each, and hide the source', () => {
  const script = { lang: 'painless', source: '1', id: null, params: {}, options: {}, context: 'field' };
  sectionTable(
    'scriptFields',
    [
      [{}, []],
      [{ script_fields: {} }, []],
      [{ script_fields: { a: { script: '1', ignore_failure: true } } }, [{ name: 'a', script, ignoresFailure: true }]],
    ],
    [
      [{ script_fields: { a: { foo: 1 } } }, 'parsing_exception: Unknown key for a VALUE_NUMBER in [foo].'],
      [{ script_fields: { a: 1 } }, 'parsing_exception: Expected [START_OBJECT] in [a] but found [VALUE_NUMBER]'],
    ],
  );
  assert.equal(searchOf({ script_fields: { a: { script: '1' } } }).fetch.source.isShown, false);
});
