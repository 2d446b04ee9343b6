import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiError, errors } from '@shoal/errors';
import { isMappingRefusal, isPipelineRefusal } from './refusal.js';

const at = { pipeline: 'p', processorType: 'fail', processorTag: null };

test('a pipeline refuses with 4xx, and with 500 if a processor threw it; overload and rights are no refusals', () => {
  const rows: [ApiError, typeof at | null, boolean][] = [
    [errors.illegalArgument('pipeline with id [x] does not exist'), null, true],
    [errors.failProcessor('no'), at, true],
    [errors.illegalState('There are no ingest nodes in this cluster'), null, false],
    [errors.illegalState('too deep'), { ...at, processorType: 'pipeline' }, true],
    [errors.circuitBreaking('too large'), at, false],
    [errors.security('action is unauthorized', { status: 403 }), null, false],
    [errors.noShardAvailable('a policy index is red'), at, false],
  ];
  for (const [error, place, expected] of rows) assert.equal(isPipelineRefusal(error, place), expected, error.message);
});

test('a mapping refuses with 400; conflicts, missing documents, blocks and failed scripts are no refusals', () => {
  const rows: [ApiError, boolean][] = [
    [errors.documentParsing('failed to parse'), true],
    [errors.illegalArgument('Limit of total fields [1000] has been exceeded'), true],
    [errors.versionConflict('document already exists'), false],
    [errors.documentMissing('[1]: document missing'), false],
    [errors.clusterBlock('index is read-only'), false],
    [errors.circuitBreaking('too large'), false],
    [errors.illegalState('broken'), false],
  ];
  for (const [error, expected] of rows) assert.equal(isMappingRefusal('index', error), expected, error.message);
  const script = errors.illegalArgument('failed to execute script', { cause: errors.script('runtime error') });
  assert.equal(isMappingRefusal('update', script), false);
  assert.equal(isMappingRefusal('update', errors.documentParsing('failed to parse')), true);
  assert.equal(isMappingRefusal('delete', errors.illegalArgument('no document')), false);
});
