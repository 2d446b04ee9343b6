import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** A command of a scenario: its words after the name, and the lines below it up to `----`. */
export interface ScenarioCommand {
  readonly name: string;
  readonly words: readonly string[];
  readonly input: readonly string[];
}

/** Runs a command on what the commands before left behind; returns the text that stands below `----`. */
export type RunCommand = (command: ScenarioCommand) => string;

interface Block {
  /** Comments and empty lines above the command. */
  readonly above: readonly string[];
  readonly command: ScenarioCommand;
  readonly lines: readonly string[];
}

/** Recorded answers have no empty lines, so an empty line ends one. */
function parseBlock(text: string): Block | null {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line !== '' && !line.startsWith('#'));
  if (first < 0) return null;
  const end = lines.indexOf('----', first);
  const command = lines.slice(first, end < 0 ? lines.length : end);
  const [name, ...words] = command[0]!.split(/\s+/);
  return { above: lines.slice(0, first), command: { name: name!, words, input: command.slice(1) }, lines: command };
}

function replay(text: string, run: RunCommand): string {
  return text
    .trimEnd()
    .split(/\n\n+/)
    .map((part) => {
      const block = parseBlock(part);
      if (!block) return part;
      return [...block.above, ...block.lines, '----', run(block.command).trimEnd() || 'ok'].join('\n');
    })
    .join('\n\n')
    .concat('\n');
}

/**
 * A test for each `*.txt` of `folder`, which holds commands with recorded answers, an empty line after each:
 *
 * ```
 * # A comment.
 * command word key=value
 * further input
 * ----
 * the recorded answer
 * ```
 *
 * `start` makes what the commands of one file work on. With REWRITE_GOLDEN set (`node scripts/test.mjs --rewrite`) the
 * answers are recorded anew instead of compared; the diff is then reviewed as code is.
 */
export function scenarios(folder: URL, start: () => RunCommand): void {
  const dir = fileURLToPath(folder);
  for (const name of fs.readdirSync(dir).filter((entry) => entry.endsWith('.txt'))) {
    test(`scenario ${name}`, () => {
      const file = path.join(dir, name);
      const recorded = fs.readFileSync(file, 'utf8');
      const replayed = replay(recorded, start());
      if (process.env['REWRITE_GOLDEN'] === undefined)
        assert.equal(replayed, recorded, `${name} (--rewrite records anew)`);
      else if (replayed !== recorded) fs.writeFileSync(file, replayed);
    });
  }
}
