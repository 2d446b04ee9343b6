import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors } from '@shoal/errors';
import type { WriteOperation } from '../bulk/write-request.js';
import { entryBytes } from './entry.js';

const OPERATION: WriteOperation = {
  op: 'index',
  index: '<logs-{now/d}>',
  id: null,
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
const ORIGIN = { nowMs: 1_700_000_000_000, index: 'logs-2023.11.14', user: null };
const ERROR = errors.documentParsing('failed to parse field [n]');

function textOf(change: Partial<WriteOperation>, isRaw = false, user: string | null = null): string {
  const operation = { ...OPERATION, ...change };
  const refusal = { operation, error: ERROR, stage: 'mapping', at: null, index: 'logs' } as const;
  return Buffer.from(entryBytes(refusal, { ...ORIGIN, user }, isRaw)).toString();
}

const documentOf = (change: Partial<WriteOperation>, isRaw = false): Record<string, unknown> =>
  (JSON.parse(textOf(change, isRaw)) as { document: Record<string, unknown> }).document;

test('an entry says what was written, what was wrong and who wrote it', () => {
  assert.equal(
    textOf({}),
    '{"@timestamp":"2023-11-14T22:13:20.000Z","document":{"index":"logs-2023.11.14","op":"index","source":{"n":1}},' +
      '"error":{"type":"document_parsing_exception","reason":"failed to parse field [n]","stage":"mapping"},' +
      '"attempts":1}',
  );
  assert.match(textOf({}, false, 'jane "j" doe'), /"user":"jane \\"j\\" doe","attempts":1}$/);
});

test('an entry has all that decides how its document is written', () => {
  const change = {
    op: 'create',
    id: '7',
    routing: 'r',
    pipeline: 'p',
    version: 3,
    versionType: 'external',
    requireAlias: true,
    dynamicTemplates: { n: 'ints' },
  } as const;
  assert.deepEqual(documentOf(change), {
    index: 'logs-2023.11.14',
    id: '7',
    routing: 'r',
    op: 'create',
    pipeline: 'p',
    version: 3,
    version_type: 'external',
    require_alias: true,
    dynamic_templates: { n: 'ints' },
    source: { n: 1 },
  });
  assert.deepEqual(documentOf({ ifSeqNo: 4, ifPrimaryTerm: 1 })['if_seq_no'], 4);
});

test('a source keeps its bytes; what is no object is kept as text, so that it cannot change the entry', () => {
  assert.ok(
    textOf({ source: Buffer.from('{ "n": 1.0,\n"big": 12345678901234567890 }') }).includes(
      '1.0,\n"big": 12345678901234567890 }',
    ),
  );
  const broken = '{"n":1},"user":"root","x":{"y":1';
  assert.deepEqual(documentOf({ source: Buffer.from(broken) })['raw'], broken);
  assert.deepEqual(documentOf({ source: Buffer.from('[1]') })['raw'], '[1]');
  assert.deepEqual(documentOf({}, true)['raw'], '{"n":1}');
  assert.deepEqual(documentOf({ source: Buffer.from([0x7b, 0xff, 0x7d]) })['raw_base64'], 'e/99');
  const long = `{"text":"${'x'.repeat(600_000)}"}`;
  assert.deepEqual(documentOf({ source: Buffer.from(long) })['raw'], long);
});
