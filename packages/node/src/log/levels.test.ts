import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLevels, type LevelSources } from './levels.js';

test('the level of a logger is that of the nearest name above it, the cluster over the node', () => {
  let sources: LevelSources | null = null;
  const levels = createLevels({ 'logger.level': 'WARN', 'http.port': '1' }, () => sources);
  assert.deepEqual([levels.allows('shoal.http', 'info'), levels.allows('shoal.http', 'warn')], [false, true]);
  sources = { persistentSettings: { 'logger.shoal': 'info', 'logger.shoal.http': 'off' }, transientSettings: {} };
  assert.deepEqual(
    [levels.allows('shoal.cluster', 'info'), levels.allows('shoal.http.cors', 'error'), levels.allows('other', 'info')],
    [true, false, false],
  );
  sources = { ...sources, transientSettings: { 'logger._root': 'TRACE', 'logger.shoal.http': 'debug' } };
  assert.deepEqual(
    [
      levels.allows('shoal.http.cors', 'debug'),
      levels.allows('other', 'debug'),
      levels.allows('shoal.cluster', 'debug'),
    ],
    [true, true, false],
  );
});
