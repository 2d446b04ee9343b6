// Who else holds the folder is tested by processes: test/node/start-and-stop.test.mjs.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type { Log } from '@shoal/doors';
import { takeDataFolder } from './data-folder.js';

const temporary = (): string => fs.mkdtempSync(path.join(os.tmpdir(), 'shoal-lock-'));
const recording = (): { log: Log; said: string[] } => {
  const said: string[] = [];
  return { log: { write: (_level, message) => said.push(message) }, said };
};

for (const damage of ['emptied', 'removed', 'flipped'])
  test(`a lock whose files are ${damage} holds no data, so that it is made anew`, async (t) => {
    const folder = temporary();
    t.after(() => fs.rmSync(folder, { recursive: true }));
    const { log, said } = recording();
    await (await takeDataFolder(folder, log)).release();
    const lock = path.join(folder, 'node.lock');
    const manifest = path.join(lock, fs.readdirSync(lock).find((name) => name.startsWith('MANIFEST'))!);
    if (damage === 'removed') fs.rmSync(manifest);
    else if (damage === 'emptied') fs.truncateSync(manifest, 0);
    else
      fs.writeFileSync(
        manifest,
        fs.readFileSync(manifest).map((byte) => byte ^ 0x10),
      );
    const taken = await takeDataFolder(folder, log);
    assert.deepEqual(said, ['the lock of the data folder was damaged and has been made anew; it holds no data']);
    await taken.release();
  });
