import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors } from '@shoal/errors';
import { ecsLine, logEntry, plainLine } from './ecs-line.js';

const PLACE = { nodeName: 'n', clusterName: 'c', nodeId: () => 'N', clusterUuid: () => 'U' };

test('a line has the field names of Elasticsearch', () => {
  const line = ecsLine(
    logEntry(0, 'warn', 'it happened', { 'log.logger': 'shoal.http', size: 10n, error: errors.illegalArgument('no') }),
    PLACE,
  );
  assert.deepEqual(JSON.parse(line), {
    '@timestamp': '1970-01-01T00:00:00.000Z',
    'log.level': 'WARN',
    message: 'it happened',
    size: '10',
    'error.type': 'illegal_argument_exception',
    'error.message': 'no',
    'ecs.version': '1.2.0',
    'service.name': 'shoal',
    'event.dataset': 'elasticsearch.server',
    'process.thread.name': 'main',
    'log.logger': 'shoal.http',
    'elasticsearch.cluster.uuid': 'U',
    'elasticsearch.node.id': 'N',
    'elasticsearch.node.name': 'n',
    'elasticsearch.cluster.name': 'c',
  });
});

test('fields that JSON cannot show do not lose more than the line', () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  assert.match(ecsLine(logEntry(0, 'info', 'x', { circle }), PLACE), /could not be written/);
});

test('a terminal gets a line for people', () => {
  assert.equal(
    plainLine(logEntry(0, 'info', 'started', { port: 1, list: [1] })),
    '1970-01-01T00:00:00.000Z INFO  started  port=1 list=[1]',
  );
});
