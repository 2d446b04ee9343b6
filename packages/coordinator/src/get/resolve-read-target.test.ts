import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyState, type IndexMetadata } from '@shoal/state';
import { resolveReadTarget } from './resolve-read-target.js';

function withAlias(name: string, isWriteIndex: boolean): IndexMetadata {
  return {
    name,
    uuid: `${name}-uuid`,
    state: 'open',
    settings: {},
    aliases: { x: { isWriteIndex } },
  } as unknown as IndexMetadata;
}

test('one document is read through an alias of one index, not of several', () => {
  const [a, b] = [withAlias('a', false), withAlias('b', true)];
  assert.equal(resolveReadTarget({ ...emptyState(), indices: new Map([[a.uuid, a]]) }, 'x')?.index, a);
  assert.throws(
    () => resolveReadTarget({ ...emptyState(), indices: new Map([a, b].map((meta) => [meta.uuid, meta])) }, 'x'),
    /alias \[x\] has more than one index associated with it \[a, b\], can't execute a single index op/,
  );
});
