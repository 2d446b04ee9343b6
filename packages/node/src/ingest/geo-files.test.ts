import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fakeClock, silentLog } from '@shoal/doors';
import { writeMmdb } from '@shoal/ingest/testing';
import { GeoFiles } from './geo-files.js';

test('databases are read, replaced and given up as their files are', async (context) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'geo-files-'));
  context.after(() => fs.rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'own-Country.mmdb');
  const nameOf = (country: string): unknown => ({ country: { names: { en: country } } });
  const write = (country: string): void =>
    fs.writeFileSync(file, writeMmdb('own-Country', { '10.0.0.0/8': nameOf(country) }));
  const files = new GeoFiles({ folder, clock: fakeClock(), log: silentLog });
  const found = (): unknown => files.databases.get('own-Country.mmdb')?.find('10.1.2.3')?.fields ?? null;
  await files.start();
  assert.equal(found(), null);
  write('Norway');
  await files.refresh();
  assert.deepEqual(found(), nameOf('Norway'));
  write('Swaziland');
  await files.refresh();
  assert.deepEqual(found(), nameOf('Swaziland'));
  fs.writeFileSync(file, 'half of a file');
  await files.refresh();
  assert.deepEqual(found(), nameOf('Swaziland'), 'what is no database changes nothing');
  fs.rmSync(file);
  await files.refresh();
  assert.deepEqual(files.databases.names(), []);
  files.close();
});
