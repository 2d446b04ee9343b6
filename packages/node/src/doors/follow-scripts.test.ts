import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitScripts, readScriptLimits } from '@shoal/script';
import { followScripts } from './follow-scripts.js';

test('a cluster whose rate of compilations an earlier build took as any text is followed', () => {
  const follow = followScripts({});
  try {
    for (const rate of ['500', 'many', '1/x', ''])
      assert.doesNotThrow(() =>
        follow({ persistentSettings: { 'script.max_compilations_rate': rate }, transientSettings: {} }),
      );
  } finally {
    limitScripts(readScriptLimits((name) => (name === 'script.disable_max_compilations_rate' ? 'true' : null)));
  }
});
