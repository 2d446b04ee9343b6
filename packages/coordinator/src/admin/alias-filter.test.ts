import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildAnalysisRegistry } from '@shoal/analysis';
import { isApiError } from '@shoal/errors';
import { mappingOptions, parseMapping } from '@shoal/mapping';
import type { IndexMetadata } from '@shoal/state';
import { checkAliasFilter, type FilteredIndex } from './alias-filter.js';

const analysis = buildAnalysisRegistry({});
const properties = { b: { type: 'byte' }, t: { type: 'text' }, d: { type: 'date' }, n: { type: 'nested' } };
const index: FilteredIndex = {
  meta: { name: 'i', uuid: 'u' } as IndexMetadata,
  mapping: parseMapping({ properties }, mappingOptions({}, analysis)),
  analysis,
  nowMs: 0,
};

/** Type and reason of the cause for which a filter is refused; null if it is taken. */
function refusal(filter: Record<string, unknown>, on: FilteredIndex | null = index): string | null {
  try {
    checkAliasFilter('a', filter, on);
    return null;
  } catch (error) {
    assert.ok(isApiError(error));
    assert.equal(error.reason, 'failed to parse filter for alias [a]');
    return `${error.causedBy?.type}: ${error.causedBy?.reason}`;
  }
}

test('a filter must fit the fields of its index, at any depth', () => {
  const bad = { term: { b: 'x' } };
  assert.equal(refusal(bad), 'number_format_exception: For input string: "x"');
  assert.equal(refusal({ bool: { filter: [{ match_all: {} }, bad] } }), refusal(bad));
  assert.equal(
    refusal({ nested: { path: 'x', query: { match_all: {} } } }),
    'illegal_state_exception: [nested] failed to find nested object under path [x]',
  );
  for (const good of [{ term: { none: 'x' } }, { range: { t: { gte: 1 } } }, { range: { d: { gte: 'now-1d' } } }])
    assert.equal(refusal(good), null);
});

test('without an index a filter must be a query; one that looks up documents never is a filter', () => {
  assert.equal(refusal({ term: { b: 'x' } }, null), null);
  assert.match(refusal({ term: { b: { x: [] } } }, null) ?? '', /^parsing_exception: \[term\] query does not support/);
  assert.equal(
    refusal({ terms: { b: { index: 'i', id: '1', path: 'p' } } }),
    'illegal_state_exception: async actions are left after rewrite',
  );
});
