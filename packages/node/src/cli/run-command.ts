import { Command } from 'commander';
import { confFolderOf } from '../start/conf-folder.js';
import { dottedOptions, keyAndValue } from '../start/setting-options.js';
import { ConfigurationError, type NodeSettings } from '../settings/load-settings.js';
import { addCertsCommands } from './certs-command.js';
import type { CommandContext } from './command-context.js';
import { CommandError, processIo } from './command-io.js';
import { addEnrollmentTokenCommand } from './enrollment-token-command.js';
import { addKeystoreCommands } from './keystore-command.js';
import { addResetPasswordCommand } from './reset-password-command.js';
import { addSampleDataCommand } from './sample-data-command.js';
import { addUsersCommands } from './users-command.js';

/** Reads the node's settings with overrides of the command line and a configuration file. */
export type ReadSettings = (
  overrides: readonly (readonly [key: string, value: string])[],
  configFile: string | null,
) => Promise<NodeSettings>;

/** Runs `shoal certs`, `shoal keystore` and the other commands that are not a node; returns the exit status. */
export async function runCommand(args: readonly string[], readSettings: ReadSettings): Promise<number> {
  const { rest, overrides, configFile } = takeNodeOptions(args);
  try {
    const settings = await readSettings(overrides, configFile);
    const context: CommandContext = {
      io: processIo(),
      settings: () => settings,
      confFolder: () => confFolderOf(settings),
    };
    const program = new Command('shoal').description(
      'Beside these commands `shoal` without one runs a node. All take -E and --config as it does.',
    );
    addCertsCommands(program, context);
    addKeystoreCommands(program, context);
    addUsersCommands(program, context);
    addResetPasswordCommand(program, context);
    addEnrollmentTokenCommand(program, context);
    addSampleDataCommand(program, context);
    await program.parseAsync(rest, { from: 'user' });
    return 0;
  } catch (error) {
    if (!(error instanceof CommandError) && !(error instanceof ConfigurationError)) throw error;
    process.stderr.write(`shoal: ${error.message}\n`);
    return error instanceof CommandError ? 1 : 78;
  }
}

interface NodeOptions {
  readonly rest: string[];
  readonly overrides: [key: string, value: string][];
  readonly configFile: string | null;
}

/** `-E key=value`, `--key.part value` and `--config FILE` may stand anywhere among the arguments. */
function takeNodeOptions(given: readonly string[]): NodeOptions {
  const args = dottedOptions(given);
  const rest: string[] = [];
  const overrides: [string, string][] = [];
  let configFile: string | null = null;
  for (let i = 0; i < args.length; i++) {
    if (args[i] === '-E') overrides.push(keyAndValue(args[++i] ?? ''));
    else if (args[i] === '--config') configFile = args[++i] ?? '';
    else rest.push(args[i]!);
  }
  return { rest, overrides, configFile };
}
