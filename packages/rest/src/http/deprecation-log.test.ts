import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogFields } from '@shoal/doors';
import { warningHeader } from '../admin/warning-header.js';
import { createDeprecationLog } from './deprecation-log.js';

test('a deprecation is logged once for each client, with its ids', () => {
  const lines: [string, LogFields][] = [];
  const deprecations = createDeprecationLog({
    write: (_level, message, fields = {}) => void lines.push([message, fields]),
  });
  const warning = warningHeader('say "hello" no more')['Warning']!;
  deprecations.write(warning, { opaqueId: 'a', traceId: 't' });
  deprecations.write(warning, { opaqueId: 'a', traceId: 'u' });
  deprecations.write(warning, { opaqueId: 'b', traceId: null });
  assert.deepEqual(
    lines.map(([message, fields]) => [message, fields['elasticsearch.http.request.x_opaque_id'], fields['trace.id']]),
    [
      ['say "hello" no more', 'a', 't'],
      ['say "hello" no more', 'b', undefined],
    ],
  );
});
