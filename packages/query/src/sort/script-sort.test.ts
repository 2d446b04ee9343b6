import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSort } from './parse-sort.js';
import { parseContext } from '../parse/parse-context.js';

const sort = (body: unknown): unknown => parseSort(body, parseContext(true));

test('a script sorts by the number that it makes', () => {
  const script = { lang: 'painless', source: '1', id: null, params: {}, options: {}, context: 'number_sort' };
  assert.deepEqual(sort([{ _script: { type: 'number', script: '1', order: 'desc' } }]), [
    { kind: 'script', script, order: 'desc', mode: null, nested: null, terms: null },
  ]);
});

test('a script that sorts is refused where it is malformed', () => {
  assert.throws(() => sort([{ _script: { script: '1' } }]), { reason: 'Required [type]' });
  assert.throws(() => sort([{ _script: { type: 'foo', script: '1' } }]), {
    reason: '[_script] failed to parse field [type]',
  });
  assert.throws(() => sort([{ _script: { type: 'number', script: '1', foo: 1 } }]), {
    reason: '[_script] unknown field [foo]',
  });
  assert.throws(() => sort([{ _script: { type: 'string', script: '1', mode: 'avg' } }]), {
    reason: '[_script] failed to parse field [mode]',
  });
});

test('a script of nested objects has their path, and a mode', () => {
  const [parsed] = sort([{ _script: { type: 'string', script: "'a'", mode: 'max', nested: { path: 'o' } } }]) as {
    mode: string;
    nested: { path: string };
    terms: { isOfNested: boolean };
  }[];
  assert.deepEqual([parsed!.mode, parsed!.nested.path, parsed!.terms.isOfNested], ['max', 'o', true]);
  assert.throws(() => sort([{ _script: { type: 'number', script: '1', nested: 5 } }]), {
    reason: "[_script] nested doesn't support values of type: VALUE_NUMBER",
  });
  assert.throws(() => sort([{ _script: { type: 'number', script: '1', nested: { foo: 1 } } }]), {
    reason: '[_script] failed to parse field [nested]',
  });
});

test('texts and versions have no sum', () => {
  const parsed = (type: string): unknown =>
    (sort([{ _script: { type, script: "'1.2.3'" } }]) as { terms: { type: string } | null }[])[0]!.terms?.type;
  assert.deepEqual([parsed('number'), parsed('string'), parsed('version')], [undefined, 'keyword', 'version']);
  assert.throws(() => sort([{ _script: { type: 'version', script: "'1'", mode: 'sum' } }]), {
    reason: '[_script] failed to parse field [mode]',
  });
});
