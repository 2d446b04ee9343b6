import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndexMetadata } from '@shoal/state';
import { indexCauses } from './index-causes.js';

const index = (name: string, settings: Record<string, unknown>, state = 'open'): IndexMetadata =>
  ({ name, settings, state }) as unknown as IndexMetadata;

const told = (...metas: readonly IndexMetadata[]): readonly string[] =>
  indexCauses(metas).map(({ about, why }) => `${about}: ${why}`);

test('blocks and closed indices are causes, but not the block of a copy that an enrich policy made', () => {
  const written = { 'index.blocks.write': 'true' };
  assert.deepEqual(told(index('a', written), index('.enrich-p-1', written), index('b', {}, 'close')), [
    'index a: documents cannot be written: [index.blocks.write] is on',
    'index b: it is closed: it can be neither searched nor written to',
  ]);
  assert.deepEqual(told(index('.enrich-p-1', { 'index.blocks.read': true })), [
    'index .enrich-p-1: documents cannot be read: [index.blocks.read] is on',
  ]);
});
