import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellText, readByName, readList, readPolicies } from './listed-objects.js';

const flat = (text: string): string => text.replace(/\s/g, '');

test('definitions are as the cluster takes them back, with all digits', () => {
  const role = '{"cluster":[],"metadata":{"_reserved":true,"n":9007199254740993}}';
  const [found] = readByName(`{"a":{"transient_metadata":{"enabled":true},${role.slice(1)}}`);
  assert.deepEqual([found!.id, flat(found!.text), found!.isReserved], ['a', role, true]);
  const policies = '{"p":{"version":1,"policy":{"phases":{"hot":{"n":1.10}}},"in_use_by":{"indices":["i"]}}}';
  const [wrapped] = readPolicies(true)(policies);
  assert.equal(flat(wrapped!.text), '{"policy":{"phases":{"hot":{"n":1.10}}}}');
  assert.deepEqual(wrapped!.json['in_use_by'], { indices: ['i'] });
  assert.equal(flat(readPolicies(false)(policies)[0]!.text), '{"phases":{"hot":{"n":1.10}}}');
  const templates = '{"index_templates":[{"name":"t \\"x\\"","index_template":{"priority":9007199254740993}}]}';
  const [template] = readList('index_templates', 'index_template')(templates);
  assert.deepEqual([template!.id, flat(template!.text)], ['t "x"', '{"priority":9007199254740993}']);
  assert.deepEqual(readList('index_templates', 'index_template')('{}'), []);
});

test('a cell shows lists of texts as people write them, and other members as JSON', () => {
  assert.equal(cellText(['logs-*', 'metrics-*']), 'logs-*, metrics-*');
  assert.equal(cellText('a "text"'), 'a "text"');
  assert.equal(cellText([{ names: ['a'] }]), '[{"names":["a"]}]');
  assert.deepEqual([cellText([]), cellText(undefined), cellText(500)], ['[]', '', '500']);
  assert.equal(cellText('x'.repeat(301)), `${'x'.repeat(300)}…`);
});
