import fs from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import {
  hasPassword,
  KEYSTORE_FILE,
  KeystorePasswordError,
  readKeystore,
  writeKeystore,
} from '../keystore/keystore-file.js';
import { keystorePassword } from '../keystore/load-keystore.js';
import { secureSettingProblem } from '../keystore/secure-settings.js';
import type { CommandContext } from './command-context.js';
import { askNewPassword, CommandError, type CommandIo, writeFileWhole } from './command-io.js';

interface Opened {
  readonly settings: Map<string, string>;
  /** The keystore's password; '' for none. */
  readonly password: string;
}

/** Adds `shoal keystore …`: edits secret settings, which do not belong into a configuration file. */
export function addKeystoreCommands(program: Command, context: CommandContext): void {
  const keystore = program
    .command('keystore')
    .description('manages the keystore: passwords and keys that the node reads at its start');
  const { io } = context;
  keystore
    .command('create')
    .description('makes an empty keystore')
    .option('-p, --password', 'protects it by a password')
    .action(async ({ password }: { password?: boolean }) => create(context, password === true));
  keystore
    .command('add <settings...>')
    .description('adds settings; their values are asked for, or read line by line from the input')
    .option('-x, --stdin', 'reads the values from the input')
    .option('-f, --force', 'overwrites without asking, and makes the keystore where there is none')
    .action((names: string[], options: { force?: boolean }) => add(context, names, options.force === true));
  keystore
    .command('list')
    .description('lists the names of the settings')
    .action(async () => [...(await open(context)).settings.keys()].sort().forEach((name) => io.print(name)));
  keystore
    .command('show <setting>')
    .description('prints the value of a setting')
    .action(async (name: string) => io.print(valueOf(await open(context), name)));
  keystore
    .command('remove <settings...>')
    .description('removes settings')
    .action((names: string[]) => remove(context, names));
  keystore
    .command('passwd')
    .description('changes the password; an empty one removes it')
    .action(async () => changePassword(context));
  keystore
    .command('has-passwd')
    .description('ends with 0 when the keystore has a password, else with 1')
    .action(() => {
      if (!hasPassword(bytesOf(context))) throw new CommandError('the keystore has no password');
      io.print('the keystore has a password');
    });
}

const fileOf = (context: CommandContext): string => path.join(context.confFolder(), KEYSTORE_FILE);

function bytesOf(context: CommandContext): Buffer {
  const file = fileOf(context);
  if (!fs.existsSync(file)) throw new CommandError(`there is no keystore [${file}]; use 'create' to make one`);
  return fs.readFileSync(file);
}

async function open(context: CommandContext): Promise<Opened> {
  const bytes = bytesOf(context);
  const password = hasPassword(bytes)
    ? keystorePassword(process.env) || (await context.io.askSecret('Password of the keystore: '))
    : '';
  try {
    return { settings: new Map(readKeystore(bytes, password)), password };
  } catch (error) {
    if (error instanceof KeystorePasswordError) throw new CommandError(error.message);
    throw error;
  }
}

const save = (context: CommandContext, { settings, password }: Opened): void =>
  writeFileWhole(fileOf(context), writeKeystore(settings, password));

async function create(context: CommandContext, withPassword: boolean): Promise<void> {
  const file = fileOf(context);
  if (fs.existsSync(file) && !(await context.io.confirm(`[${file}] exists. Overwrite it?`)))
    throw new CommandError(`[${file}] exists already`);
  const password = withPassword ? await askNewPassword(context.io, 'the keystore') : '';
  save(context, { settings: new Map(), password });
  context.io.print(
    `made the keystore [${file}]${password === '' ? ' without a password: its file permissions protect it' : ''}`,
  );
}

async function add(context: CommandContext, names: readonly string[], force: boolean): Promise<void> {
  for (const name of names) {
    const problem = secureSettingProblem(name);
    if (problem !== null) throw new CommandError(problem);
  }
  if (force && !fs.existsSync(fileOf(context))) save(context, { settings: new Map(), password: '' });
  const opened = await open(context);
  for (const name of names) {
    if (!(await mayAdd(context.io, opened, name, force)))
      throw new CommandError(`setting [${name}] exists already; --force overwrites it`);
    opened.settings.set(name, await context.io.askSecret(`Value of ${name}: `));
  }
  save(context, opened);
}

async function mayAdd(io: CommandIo, { settings }: Opened, name: string, force: boolean): Promise<boolean> {
  return force || !settings.has(name) || io.confirm(`Setting [${name}] exists. Overwrite it?`);
}

function valueOf({ settings }: Opened, name: string): string {
  const value = settings.get(name);
  if (value === undefined) throw new CommandError(`setting [${name}] is not in the keystore`);
  return value;
}

async function remove(context: CommandContext, names: readonly string[]): Promise<void> {
  const opened = await open(context);
  for (const name of names)
    if (!opened.settings.delete(name)) throw new CommandError(`setting [${name}] is not in the keystore`);
  save(context, opened);
}

async function changePassword(context: CommandContext): Promise<void> {
  const { settings } = await open(context);
  const password = await askNewPassword(context.io, 'the keystore');
  save(context, { settings, password });
  context.io.print(password === '' ? 'the keystore has no password now' : 'the password of the keystore was changed');
}
