import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type RunCommand, scenarios } from './scenario.js';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shoal-scenario-'));
after(() => {
  fs.rmSync(folder, { recursive: true });
});

fs.writeFileSync(
  path.join(folder, 'sums.txt'),
  '# Comments and input lines stay as they are.\nadd 1 2\n3\n----\n6\n\n# A heading on its own.\n\nadd\n----\nok\n',
);

const start = (): RunCommand => {
  let sum = 0;
  return ({ name, words, input }) => {
    assert.equal(name, 'add');
    for (const word of [...words, ...input]) sum += Number(word);
    return words.length === 0 ? '' : String(sum);
  };
};

scenarios(pathToFileURL(`${folder}/`), start);
