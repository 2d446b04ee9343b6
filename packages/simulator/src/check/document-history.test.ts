import assert from 'node:assert/strict';
import test from 'node:test';
import { DocumentHistory } from './document-history.js';

const OLD = { place: 'old/d1', document: 'i/d1' };
const NEW = { place: 'new/d1', document: 'i/d1' };

function opened(): { documents: DocumentHistory; violations: string[] } {
  const violations: string[] = [];
  return { documents: new DocumentHistory((invariant) => void violations.push(invariant)), violations };
}

test('an update is right where somebody wrote before', () => {
  const { documents, violations } = opened();
  documents.acked(
    documents.begin('index', NEW, 1, null),
    { seqNo: 0, term: 1, version: 1, result: 'created' },
    'new/0',
    2,
  );
  documents.acked(
    documents.begin('index', NEW, 3, null),
    { seqNo: 1, term: 1, version: 2, result: 'updated' },
    'new/0',
    4,
  );
  documents.finish();
  assert.deepEqual(violations, []);
});

test('an update where nobody can have written is told', () => {
  const { documents, violations } = opened();
  documents.acked(
    documents.begin('index', NEW, 3, null),
    { seqNo: 1, term: 1, version: 2, result: 'updated' },
    'new/0',
    4,
  );
  documents.finish();
  assert.deepEqual(violations, ['I22']);
});

test('a write by name that began with another index of that name may have happened in this one', () => {
  const { documents, violations } = opened();
  const other = documents.begin('index', OLD, 1, null);
  documents.acked(
    documents.begin('index', NEW, 3, null),
    { seqNo: 1, term: 1, version: 2, result: 'updated' },
    'new/0',
    4,
  );
  documents.final(NEW, { found: true, opId: other.opId, seqNo: 2, term: 1 });
  documents.finish();
  assert.deepEqual(violations, []);
});

test('a document may be in an index that nobody knew when it was written', () => {
  const { documents, violations } = opened();
  const late = documents.begin('index', OLD, 1, null);
  documents.failed(late, 2);
  assert.deepEqual(documents.idsOf('i'), ['d1']);
  documents.final(NEW, { found: true, opId: late.opId, seqNo: 0, term: 1 });
  documents.final(NEW, { found: true, opId: late.opId + 1, seqNo: 1, term: 1 });
  assert.deepEqual(violations, ['I21']);
});
