import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noDatabases, type IngestDatabases } from '../databases.js';
import type { EnrichSource } from '../enrich.js';
import { outcome, processorTable } from '../testing/pipeline-table.js';

const USERS = [
  { email: 'a@b.org', city: 'Oslo' },
  { email: 'a@b.org', city: 'Bergen' },
];

function databases(find: EnrichSource['find']): IngestDatabases {
  return { ...noDatabases(), enrich: { get: (policy) => (policy === 'users' ? { find } : null) } };
}

const now = databases((value, max) => (value === 'a@b.org' ? USERS.slice(0, max) : []));
const options = { policy_name: 'users', field: 'e', target_field: 'u' };

test('enrich adds the documents that a policy finds', () =>
  processorTable(
    'enrich',
    [
      [options, '{"e":"a@b.org"}', '{"e":"a@b.org","u":{"email":"a@b.org","city":"Oslo"}}'],
      [
        { ...options, max_matches: 2, target_field: '{{to}}' },
        '{"e":"a@b.org","to":"x"}',
        '{"e":"a@b.org","to":"x","x":[{"email":"a@b.org","city":"Oslo"},{"email":"a@b.org","city":"Bergen"}]}',
      ],
      [{ ...options, override: false }, '{"e":"a@b.org","u":1}', '{"e":"a@b.org","u":1}'],
      [options, '{"e":"nobody"}', '{"e":"nobody"}'],
      [options, '{"e":null}', '{"e":null}'],
      [options, '{}', 'illegal_argument_exception: field [e] not present as part of path [e]'],
      [{ ...options, ignore_missing: true }, '{}', '{}'],
      [{ ...options, max_matches: 129 }, '{}', 'parse_exception: [max_matches] should be between 1 and 128'],
      [
        { ...options, policy_name: 'none' },
        '{}',
        'exception: java.lang.IllegalArgumentException: no enrich index exists for policy with name [none] <- ' +
          'illegal_argument_exception: no enrich index exists for policy with name [none]',
      ],
    ],
    null,
    now,
  ));

test('enrich waits for a source that must be asked', async () => {
  const later = databases(async () => USERS);
  const processors = [{ enrich: options }, { set: { field: 'city', value: '{{u.city}}' } }];
  assert.equal(
    await outcome(processors, '{"e":"x"}', null, later),
    '{"e":"x","u":{"email":"a@b.org","city":"Oslo"},"city":"Oslo"}',
  );
});
