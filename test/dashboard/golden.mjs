// What a screen reader is told of a page, kept as a file: the accessibility tree as text. `UPDATE_GOLDEN=1` writes it.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { sleep } from '../node-process.mjs';

const folder = path.join(import.meta.dirname, 'golden');
/** How long a page may take to become what the file says, in milliseconds: parts of it load one after the other. */
const WAIT_MS = 20_000;

/** Waits until the tree of a page is the file of a name. `masks`: what differs from run to run, written as `…`. */
export async function checkTree(page, name, masks = []) {
  const file = path.join(folder, `${name}.txt`);
  const read = async () => {
    const tree = await page.locator('body').ariaSnapshot();
    return `${masks.reduce((text, mask) => text.replace(mask, '$1…'), tree)}\n`;
  };
  if (process.env.UPDATE_GOLDEN === '1') {
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(file, await read());
  }
  const expected = fs.readFileSync(file, 'utf8');
  const end = performance.now() + WAIT_MS;
  let tree = await read();
  while (tree !== expected && performance.now() < end) {
    await sleep(100);
    tree = await read();
  }
  assert.equal(tree, expected, `${name}: UPDATE_GOLDEN=1 takes it over`);
}
