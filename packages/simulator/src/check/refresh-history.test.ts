import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DocumentHistory } from './document-history.js';
import { RefreshHistory } from './refresh-history.js';

const PLACE = 'i/d1';

/** Creates histories with a document of sequence number 4, refreshed in state version 7. */
function refreshed(): { documents: DocumentHistory; refreshes: RefreshHistory; violations: string[] } {
  const violations: string[] = [];
  const violate = (invariant: string): void => void violations.push(invariant);
  const documents = new DocumentHistory(violate);
  documents.acked(
    documents.begin('index', { place: PLACE, document: PLACE }, 1, null),
    { seqNo: 4, term: 1, version: 1, result: 'created' },
    'i/0',
    2,
  );
  const refreshes = new RefreshHistory(violate);
  refreshes.refreshed('i', { version: 7, writes: documents.newestAnswered('i') });
  return { documents, refreshes, violations };
}

test('a search after a refresh that lacks an answered write, or shows an older one, is a violation', () => {
  for (const hits of [[], [{ place: PLACE, seqNo: 3 }]]) {
    const { refreshes, violations } = refreshed();
    refreshes.found(refreshes.begin('i', 7), hits, () => false);
    assert.deepEqual(violations, ['I22a']);
  }
});

test('a newer write, a deletion that somebody asked for, and a search that knows only older copies are none', () => {
  const { documents, refreshes, violations } = refreshed();
  refreshes.found(refreshes.begin('i', 7), [{ place: PLACE, seqNo: 5 }], () => false);
  refreshes.found(refreshes.begin('i', 6), [], () => false);
  documents.begin('delete', { place: PLACE, document: PLACE }, 3, null);
  refreshes.found(refreshes.begin('i', 7), [], (key) => documents.mayBeGone(key));
  assert.deepEqual(violations, []);
});
