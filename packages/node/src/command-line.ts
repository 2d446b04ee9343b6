import { Command } from 'commander';

export interface CommandLine {
  /** `-E key=value` in order; `--a.b c` is the same as `-E a.b=c`. */
  readonly overrides: readonly (readonly [key: string, value: string])[];
  /** `--config FILE`, or null. */
  readonly configFile: string | null;
  /** `--enrollment-token TOKEN`, or null. */
  readonly enrollmentToken: string | null;
}

/** `--http.port 9200` as `-E http.port=9200`: what test drivers and shells find easier. */
function dottedOptions(args: readonly string[]): string[] {
  const result: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const match = /^--([a-z][\w-]*(?:\.[\w-]+)+)(?:=(.*))?$/.exec(args[i]!);
    if (match) result.push('-E', `${match[1]}=${match[2] ?? args[++i] ?? ''}`);
    else result.push(args[i]!);
  }
  return result;
}

/** Parses the arguments of `shoal`; prints help or the version and ends the process where that is asked for. */
export function parseCommandLine(args: readonly string[], version: string): CommandLine {
  const overrides: [string, string][] = [];
  const addOverride = (text: string): void => {
    const at = text.indexOf('=');
    if (at <= 0) throw new Error(`-E takes key=value but was given [${text}]`);
    overrides.push([text.slice(0, at), text.slice(at + 1)]);
  };
  const command = new Command('shoal')
    .description('A search and analytics daemon for Elasticsearch 8 clients: runs one node until it is told to stop.')
    .addHelpText('after', '\nOther commands: shoal certs, keystore, users, reset-password, create-enrollment-token (--help after each).')
    .version(version, '-V, --version')
    .option('-E <key=value>', 'sets a setting (docs/settings.md lists them); may be given many times', addOverride)
    .option('--config <file>', 'YAML file with settings')
    .option('--enrollment-token <token>', 'joins the cluster of the token; for the first start of a node')
    .option('--memory <size>', 'memory budget of the whole process, for example 512mb', (size: string) => addOverride(`memory.limit=${size}`))
    .allowExcessArguments(false);
  command.parse(dottedOptions(args), { from: 'user' });
  const { config, enrollmentToken } = command.opts<{ config?: string; enrollmentToken?: string }>();
  return { overrides, configFile: config ?? null, enrollmentToken: enrollmentToken ?? null };
}
