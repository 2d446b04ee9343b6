import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outcome, processorTable } from '../testing/pipeline-table.js';

test('reroute sends documents elsewhere', () =>
  processorTable('reroute', [
    [
      { dataset: '{{svc}}' },
      '{"svc":"My-App"}',
      'illegal_argument_exception: invalid data stream name: [logs]; must follow naming scheme <type>-<data' +
        'set>-<namespace>',
    ],
    [{ dataset: 'My-App' }, '{}', "parse_exception: [dataset] 'My-App' contains disallowed characters"],
    [{ namespace: ['{{a}}-{{b}}'] }, '{}', "parse_exception: [namespace] '{{a}}-{{b}}' is not a valid field reference"],
    [
      { destination: 'x', dataset: 'y' },
      '{}',
      'parse_exception: [destination] can only be set if dataset and namespace are not set',
    ],
    [{ destination: 'other' }, '{"a":1}', '{"a":1,"_index":"other"}'],
  ]));

test('reroute takes the first reference that names a text, and cleans it', async () => {
  const run = (options: Record<string, unknown>, source: string): Promise<string> =>
    outcome([{ set: { field: '_index', value: 'logs-a-b-c' } }, { reroute: options }], source);
  assert.equal(
    await run(
      { dataset: ['{{n}}', '{{{svc}}}'], namespace: '{{none}}' },
      '{"n":5,"svc":"My-App","event":{"dataset":"x"}}',
    ),
    '{"n":5,"svc":"My-App","event":{"dataset":"my_app"},' +
      '"data_stream":{"type":"logs","dataset":"my_app","namespace":"b-c"},"_index":"logs-my_app-b-c"}',
  );
  assert.equal(
    await run({ dataset: ['{{none}}', 'fixed'] }, '{"data_stream":{"namespace":"Prod"}}'),
    '{"data_stream":{"namespace":"prod","type":"logs","dataset":"fixed"},"_index":"logs-fixed-prod"}',
  );
});
