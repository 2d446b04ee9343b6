import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildAnalysisRegistry } from '../registry.js';
import { cuts } from '../testing/analysis-table.js';

test('ml_standard leaves out numbers and keeps paths', () =>
  cuts({ tokenizer: 'ml_standard' }, [
    ['Node 3 shutting down', 'Node[0-4] shutting[7-15] down[16-20]'],
    ['2016-02-07T00:00:00+0000 User foo_325 logged off.', 'User[25-29] foo_325[30-37] logged[38-44] off[45-48]'],
    ['/var/log/x.log: deadbeef 0x1f', '/var/log/x.log[0-14]'],
    ['<INFO> "quoted" -flag-', 'INFO[1-5] quoted[8-14] flag[17-21]'],
    ['123 4.5', ''],
  ]));

test('ml_classic cuts paths', () =>
  cuts({ tokenizer: 'ml_classic' }, [['/usr/local/x_y.z 7', 'usr[1-4] local[5-10] x_y.z[11-16]']]));

test('ml_standard leaves gaps where it leaves out numbers', () => {
  const analyzer = buildAnalysisRegistry({}).custom({ tokenizer: 'ml_standard' });
  const list = analyzer.analyze('[2017-12-13T10:46:30,816][INFO ][o.e.c.Service] [node-0] [.watcher-7-2017.12.13]');
  assert.deepEqual(list.terms.slice(0, list.count), ['INFO', 'o.e.c.Service', 'node-0', 'watcher-7-2017.12.13']);
  assert.deepEqual(list.positions.slice(0, list.count), [4, 5, 6, 7]);
});
