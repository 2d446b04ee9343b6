import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors } from '@shoal/errors';
import { type IndexAccess, UNRESTRICTED } from '@shoal/state';
import { CALL, type FakeIndex, stateWith } from '../fake-cluster.js';
import { quarantineAccess, selectQuarantines, withQuarantines } from './quarantine-access.js';
import { quarantines } from './quarantine-index.js';

const kept = (name: string): FakeIndex => ({
  name: `.quarantine-${name}-000001`,
  shards: [['n1']],
  aliases: { [`.quarantine-${name}`]: { isWriteIndex: true, isHidden: true } },
});
const STATE = stateWith([
  { name: 'logs', shards: [['n1']], aliases: { all: {} } },
  { name: 'empty', shards: [['n1']] },
  kept('logs'),
  kept('gone'),
  kept('secret'),
]);

const select = (names: readonly string[], access: IndexAccess = UNRESTRICTED): string[] =>
  selectQuarantines(STATE, names, access, 0).map(({ name }) => name);

/** Access to these names, with a part of the documents of `limited`. */
const to = (names: readonly string[], limited: readonly string[] = []): IndexAccess => ({
  allows: (name) => names.includes(name),
  refuse: (refused) => errors.security(`no access to [${refused.join()}]`, { status: 403 }),
  limits: (asked) => (asked.some((name) => limited.includes(name)) ? { queries: [['{}']], fields: [] } : null),
});

test('an expression finds quarantines by the names of their indices, also of those that are gone', () => {
  assert.deepEqual(select([]), ['gone', 'logs', 'secret']);
  assert.deepEqual(select(['logs']), ['logs']);
  assert.deepEqual(select(['gone']), ['gone']);
  assert.deepEqual(select(['all']), ['logs']);
  assert.deepEqual(select(['*', '-s*']), ['gone', 'logs']);
  assert.deepEqual(select(['_all']), ['gone', 'logs', 'secret']);
  assert.deepEqual(select(['empty']), []);
  assert.throws(() => select(['never']), { reason: 'no such index [never]' });
});

test('a caller finds only what it may read, and nothing of what it sees a part of', () => {
  assert.deepEqual(select([], to(['logs'])), ['logs']);
  assert.deepEqual(select(['*'], to(['logs', 'gone'], ['gone'])), ['logs']);
  assert.throws(() => select(['secret'], to(['logs'])), { status: 403 });
  assert.throws(() => select(['never'], to(['logs'])), { status: 403 });
  assert.throws(() => select(['logs'], to(['logs'], ['logs'])), { status: 400, type: 'security_exception' });
});

test('reading needs the right to search the index, too', () => {
  const actions: Record<string, IndexAccess> = {
    'indices:data/read/quarantine': to(['logs', 'gone']),
    'indices:data/read/search': to(['logs', 'secret']),
  };
  const permissions = { ...CALL.subject.permissions, indexAccess: (action: string) => actions[action]! };
  const call = { ...CALL, subject: { ...CALL.subject, permissions } };
  const access = quarantineAccess(call);
  assert.deepEqual(
    ['logs', 'gone', 'secret'].map((name) => access.allows(name)),
    [true, false, false],
  );
  const opened = withQuarantines(
    call,
    quarantines(STATE).filter(({ name }) => name === 'logs'),
  );
  const reads = opened.subject.permissions.indexAccess('indices:data/read/search');
  const names = ['.quarantine-logs', '.quarantine-logs-000001', '.quarantine-gone-000001', 'secret', 'gone'];
  assert.deepEqual(
    names.map((name) => reads.allows(name)),
    [true, true, false, true, false],
  );
});
