import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workKind } from './http-limits.js';

test(
  'what a call waits for and is refused with follows from its ' + 'action; what gives something back waits for nothing',
  () => {
    const kinds = ['search', 'scroll', 'get', 'mget', 'scroll/clear', 'close_point_in_time'].map((action) =>
      workKind({ privilege: `indices:data/read/${action}` }),
    );
    assert.deepEqual(kinds, ['search', 'search', 'get', 'get', 'management', 'management']);
    assert.deepEqual(
      ['indices:data/write/bulk', 'cluster:monitor/health'].map((privilege) => workKind({ privilege })),
      ['write', 'management'],
    );
  },
);
