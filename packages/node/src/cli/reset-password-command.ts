import { randomInt } from 'node:crypto';
import type { Command } from 'commander';
import type { CommandContext } from './command-context.js';
import { askNewPassword, CommandError } from './command-io.js';
import { asLocalSuperuser } from './local-admin.js';
import { reasonOf } from './node-client.js';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-_*';
const LENGTH = 20;

interface ResetOptions {
  readonly username: string;
  readonly interactive?: boolean;
  readonly batch?: boolean;
  readonly silent?: boolean;
  readonly url?: string;
}

/** `shoal reset-password -u elastic`: a new password for a built-in or native user, without knowing the old one. */
export function addResetPasswordCommand(program: Command, context: CommandContext): void {
  program
    .command('reset-password')
    .description('sets a new password for a user of the cluster; run it where the node runs')
    .requiredOption('-u, --username <name>', 'the user')
    .option('-a, --auto', 'makes a password (the default)')
    .option('-i, --interactive', 'asks for the password')
    .option('-b, --batch', 'does not ask whether to go on')
    .option('-s, --silent', 'prints the password only')
    .option('--url <url>', 'address of the node; that of the node on path.data when absent')
    .action((options: ResetOptions) => reset(context, options));
}

async function reset(context: CommandContext, options: ResetOptions): Promise<void> {
  const { io } = context;
  const isAsked = io.isTerminal && options.batch !== true;
  if (isAsked && !(await io.confirm(`Set a new password for [${options.username}]?`)))
    throw new CommandError('nothing was changed');
  const password = options.interactive === true ? await askNewPassword(io, options.username) : newPassword();
  const path = `/_security/user/${encodeURIComponent(options.username)}/_password`;
  const answer = await asLocalSuperuser(context, options.url, (call) => call('POST', path, { password }));
  if (answer.status !== 200)
    throw new CommandError(`the password of [${options.username}] was not set: ${reasonOf(answer)}`);
  if (options.silent === true) return io.print(password);
  io.print(`Password for the [${options.username}] user successfully reset.`);
  if (options.interactive !== true) io.print(`New value: ${password}`);
}

const newPassword = (): string => Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
