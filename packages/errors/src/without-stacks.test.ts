import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors } from './catalogue.js';
import { withoutStacks } from './without-stacks.js';

const frames = (error: Error): number => error.stack!.split('\n').length - 1;

test('errors of work that drops them do not say where they were thrown; those after it do', () => {
  const dropped = withoutStacks(() => errors.illegalArgument('x'));
  assert.equal(frames(dropped), 0);
  assert.equal(dropped.reason, 'x');
  assert.ok(frames(errors.illegalArgument('x')) > 0);
  assert.throws(() => withoutStacks(() => assert.fail('y')), /y/);
  assert.ok(frames(errors.illegalArgument('x')) > 0);
});
