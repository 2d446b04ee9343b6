import { Command } from 'commander';
import { dottedOptions, keyAndValue } from './setting-options.js';

/** Options of the command line of `shoal`. */
export interface CommandLine {
  /** `-E key=value` in order; `--a.b c` is the same as `-E a.b=c`. */
  readonly overrides: readonly (readonly [key: string, value: string])[];
  /** `--config FILE`, or null. */
  readonly configFile: string | null;
  /** `--enrollment-token TOKEN`, or null. */
  readonly enrollmentToken: string | null;
}

/** Parses the arguments of `shoal`; prints help or the version and ends the process where that is asked for. */
export function parseCommandLine(args: readonly string[], version: string): CommandLine {
  const overrides: [string, string][] = [];
  const addOverride = (text: string): void => void overrides.push(keyAndValue(text));
  const command = new Command('shoal')
    .description('A search and analytics daemon for Elasticsearch 8 clients: runs one node until it is told to stop.')
    .addHelpText(
      'after',
      '\nOther commands: shoal dashboard, certs, keystore, users, reset-password, create-enrollment-token ' +
        '(--help after each).',
    )
    .version(version, '-V, --version')
    .option('-E <key=value>', 'sets a setting (docs/settings.md lists them); may be given many times', addOverride)
    .option('--config <file>', 'YAML file with settings')
    .option('--enrollment-token <token>', 'joins the cluster of the token; for the first start of a node')
    .option('--memory <size>', 'memory budget of the whole process, for example 512mb', (size: string) =>
      addOverride(`memory.limit=${size}`),
    )
    .allowExcessArguments(false);
  command.parse(dottedOptions(args), { from: 'user' });
  const { config, enrollmentToken } = command.opts<{ config?: string; enrollmentToken?: string }>();
  return { overrides, configFile: config ?? null, enrollmentToken: enrollmentToken ?? null };
}
