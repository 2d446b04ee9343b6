import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressRuleProblem, addressRulesOf } from '@shoal/state';
import { createFilter } from './ip-filter.js';

const filter = (allow: string[], deny: string[], more = {}) =>
  createFilter({ isEnabled: true, allow, deny, own: [], ...more });

test('what is allowed comes before what is denied, and everything else is let in', () => {
  const accepts = filter(['10.0.0.5', '2001:db8::/32'], ['10.0.0.0/8', '2001::/16']);
  assert.equal(accepts('10.0.0.5'), true);
  assert.equal(accepts('10.0.0.6'), false);
  assert.equal(accepts('::ffff:10.0.0.6'), false);
  assert.equal(accepts('192.168.0.1'), true);
  assert.equal(accepts('2001:db8::1'), true);
  assert.equal(accepts('2001:1::1'), false);
});

test('_all denies everybody but what is allowed and the own addresses', () => {
  const accepts = filter(['10.0.0.5'], ['_all'], { own: ['127.0.0.1'] });
  assert.deepEqual(['10.0.0.5', '127.0.0.1', '10.0.0.6', '::1', ''].map(accepts), [true, true, false, false, false]);
});

test('without rules, or switched off, everybody is let in', () => {
  assert.equal(filter([], [])('1.2.3.4'), true);
  assert.equal(filter(['10.0.0.1'], ['_all'], { isEnabled: false })('1.2.3.4'), true);
});

test('each ruling names the rule that made it', () => {
  const told: unknown[] = [];
  const accepts = createFilter(
    { isEnabled: true, allow: ['10.0.0.5'], deny: ['10.0.0.0/8'], own: ['127.0.0.1', '::1'] },
    (address, ruling) => told.push([address, ruling.isAllowed, ruling.rule]),
  );
  for (const address of ['127.0.0.1', '10.0.0.5', '10.0.0.6', '1.2.3.4']) accepts(address);
  assert.deepEqual(told, [
    ['127.0.0.1', true, 'allow 127.0.0.1,::1'],
    ['10.0.0.5', true, 'allow 10.0.0.5'],
    ['10.0.0.6', false, 'deny 10.0.0.0/8'],
    ['1.2.3.4', true, 'allow default:accept_all'],
  ]);
});

test('a filter that is switched off rules on nothing', () => {
  createFilter({ isEnabled: false, allow: [], deny: ['_all'], own: [] }, assert.fail)('1.2.3.4');
});

test('rules that mean nothing are refused by name', () => {
  for (const rule of ['_all', '10.0.0.1', '10.0.0.0/8', '::1', '::/0'])
    assert.equal(addressRuleProblem(rule), null, rule);
  for (const rule of ['', 'example.org', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0', '::/129'])
    assert.match(addressRuleProblem(rule)!, /^\[/, rule);
});

test('rules are lists, or texts with commas as configuration files have them', () => {
  assert.deepEqual(addressRulesOf('10.0.0.1, ::1'), ['10.0.0.1', '::1']);
  assert.deepEqual(addressRulesOf(['10.0.0.1']), ['10.0.0.1']);
  assert.deepEqual(addressRulesOf(null), []);
});
