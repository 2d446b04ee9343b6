import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SourceText } from '../by-query/source-reader.js';
import type { WriteOperation } from '../bulk/write-request.js';
import { entryBytes } from './entry.js';
import { operationOfEntry } from './entry-operation.js';
import { RefusedDocument } from './refusal.js';
import { errors } from '@shoal/errors';

const OPERATION: WriteOperation = {
  op: 'index',
  index: 'logs',
  id: '1',
  routing: null,
  requireAlias: false,
  pipeline: null,
  version: null,
  versionType: 'internal',
  ifSeqNo: null,
  ifPrimaryTerm: null,
  retryOnConflict: 0,
  source: Buffer.from('{"n":1}'),
  updateSource: undefined,
  dynamicTemplates: null,
  executedPipelines: null,
};

const hitOf = (source: Uint8Array | null) => ({
  index: '.quarantine-logs-000001',
  id: 'entry',
  routing: null,
  version: 1,
  seqNo: 0,
  primaryTerm: 1,
  source: source && new SourceText(source),
});

/** Keeps a write and reads it back. */
function readBack(change: Partial<WriteOperation>, pipeline: string | null = null) {
  const refusal = new RefusedDocument(errors.documentParsing('no'), 'mapping', null, 'logs');
  const operation = { ...OPERATION, ...change };
  const { error, stage, at, index } = refusal;
  const bytes = entryBytes({ error, stage, at, index, operation }, { nowMs: 0, index: 'logs', user: null }, false);
  const entry = operationOfEntry(hitOf(bytes), pipeline)!;
  return { ...entry, operation: { ...entry.operation, source: Buffer.from(entry.operation.source).toString() } };
}

test('a write that was kept is read back as it was', () => {
  const changes: Partial<WriteOperation>[] = [
    {},
    { op: 'update', source: Buffer.from('{"doc":{"n":1.0}}') },
    { op: 'create', routing: 'r', pipeline: 'p', requireAlias: true, dynamicTemplates: { n: 'ints' } },
    { version: 7, versionType: 'external_gte' },
    { ifSeqNo: 0, ifPrimaryTerm: 1 },
    { source: Buffer.from('{"n":12345678901234567890,"m":5.0}') },
    { source: Buffer.from('{ broken') },
  ];
  for (const change of changes) {
    const { operation, isAutoId } = readBack(change);
    const expected = { ...OPERATION, ...change };
    assert.deepEqual(operation, { ...expected, source: Buffer.from(expected.source).toString() });
    assert.equal(isAutoId, false);
  }
});

test('a write without an id creates a document of its entry’s id, so that a second replay makes no second one', () => {
  const { operation, isAutoId } = readBack({ id: null });
  assert.deepEqual([operation.op, operation.id, isAutoId], ['create', 'entry', true]);
});

test('another pipeline replaces that of the write', () => {
  assert.equal(readBack({ pipeline: 'p' }, 'q').operation.pipeline, 'q');
  assert.equal(readBack({ pipeline: 'p' }).operation.pipeline, 'p');
});

test('what is no entry is no write', () => {
  const found = (json: string | null) => operationOfEntry(hitOf(json === null ? null : Buffer.from(json)), null);
  for (const json of [null, '{}', '{"document":"x"}', '{"document":{"index":"logs","op":"delete","source":{}}}'])
    assert.equal(found(json), null);
  assert.equal(found('{"document":{"index":"logs","op":"index"}}'), null);
});
