import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { readUserAgentFiles } from './user-agent-files.js';

test('files of expressions are known by their names', (context) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'user-agents-'));
  context.after(() => fs.rmSync(folder, { recursive: true }));
  fs.writeFileSync(path.join(folder, 'own.yml'), "user_agent_parsers:\n  - regex: '(ours)/(\\d+)'\n");
  fs.writeFileSync(path.join(folder, 'notes.txt'), 'nothing');
  const userAgents = readUserAgentFiles(folder);
  assert.deepEqual(userAgents.get('own.yml')!.parse('ours/7').agent, {
    name: 'ours',
    version: ['7', null, null, null],
  });
  assert.equal(userAgents.get('notes.txt'), null);
  fs.writeFileSync(path.join(folder, 'bad.yml'), 'user_agent_parsers:\n  - nothing: 1\n');
  assert.throws(() => readUserAgentFiles(folder), /bad\.yml\] not a valid regular expression file/);
  assert.equal(readUserAgentFiles(path.join(folder, 'none')).get('own.yml'), null);
});
