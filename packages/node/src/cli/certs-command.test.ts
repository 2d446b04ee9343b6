import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import { addCertsCommands } from './certs-command.js';
import type { CommandContext } from './command-context.js';

test('certificates are made for names and addresses that exist only', async () => {
  for (const [option, value, reason] of [
    ['--ip', '999.1.1.1', '[999.1.1.1] is not an address'],
    ['--ip', 'localhost', 'is not an address'],
    ['--dns', 'a b', '[a b] is not a host name'],
    ['--dns', 'good.example,', '[] is not a host name'],
    ['--dns', '10.0.0.1', 'is not a host name'],
  ] as const) {
    const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
    addCertsCommands(program, {} as CommandContext);
    for (const command of program.commands.flatMap((one) => [one, ...one.commands]))
      command.exitOverride().configureOutput({ writeErr: () => undefined });
    await assert.rejects(program.parseAsync(['certs', 'node', option, value], { from: 'user' }), (error: Error) =>
      error.message.includes(reason),
    );
  }
});
