import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { seededRandom } from '@shoal/doors';
import { nodeIdentity } from './node-identity.js';

const idOf = (folder: string): string => nodeIdentity(folder, seededRandom(1));

function inFolder(body: (folder: string) => void): void {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shoal-identity-'));
  try {
    body(folder);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

test('the id of a node is made once', () => {
  inFolder((folder) => {
    const id = idOf(folder);
    assert.match(id, /^[\w-]{22}$/);
    assert.equal(nodeIdentity(folder, seededRandom(2)), id);
    fs.writeFileSync(path.join(folder, 'node.id'), `${id}\nstate\n`);
    assert.equal(idOf(folder), id);
  });
});

test('a node.id that is empty, cut, of another form or a folder is refused by a sentence', () => {
  for (const content of ['', '\n', 'short', `${'a'.repeat(22)}\nstat\n`, `${'a'.repeat(23)}`, 'a b'])
    inFolder((folder) => {
      fs.writeFileSync(path.join(folder, 'node.id'), content);
      assert.throws(() => idOf(folder), {
        name: 'ConfigurationError',
        message: /node\.id\] does not hold a node id; /,
      });
    });
  inFolder((folder) => {
    fs.mkdirSync(path.join(folder, 'node.id'));
    assert.throws(() => idOf(folder), { name: 'ConfigurationError', message: /node\.id\] cannot be read: / });
  });
});

test('a node.id that is missing beside the state or the shards of a node is refused by a sentence', () => {
  for (const written of ['state/state-a', 'indices/uuid/0/witness', 'state.witness'])
    inFolder((folder) => {
      fs.mkdirSync(path.dirname(path.join(folder, written)), { recursive: true });
      fs.writeFileSync(path.join(folder, written), 'x');
      assert.throws(() => idOf(folder), { name: 'ConfigurationError', message: /node\.id\] is missing although / });
    });
  inFolder((folder) => {
    fs.mkdirSync(path.join(folder, 'state'));
    assert.match(idOf(folder), /^[\w-]{22}$/);
  });
});
