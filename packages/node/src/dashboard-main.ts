import fs from 'node:fs';
import {
  type DashboardSettings,
  DashboardSettingsError,
  loadDashboardSettings,
  type RunningDashboard,
  startDashboard,
} from '@shoal/dashboard';
import type { Log, LogLevel } from '@shoal/doors';
import { VERSION } from '@shoal/values';
import { assetsFolder } from './dashboard/assets-folder.js';
import { keyStores } from './dashboard/key-stores.js';
import { systemClock } from './doors/system-clock.js';
import { systemRandom } from './doors/system-random.js';
import { logEntry, plainLine, toJson } from './log/ecs-line.js';
import { drainOutput, standardOutput } from './log/standard-output.js';
import { askedToStop } from './start/asked-to-stop.js';

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];
/** Milliseconds that the end waits for the reader of the standard output. */
const DRAIN_MS = 1_000;
const HARD_STOP_MS = 45_000;

const HELP = `Usage: shoal dashboard [options]

The pages of a cluster for browsers, on http://localhost:5601 unless told otherwise.

  -E <name=value>       sets a setting (docs/dashboard-settings.md lists them); may be given many times
  --<name> <value>      the same, for example --server.port 5602
  --config <file>       YAML file with settings
  -V, --version         prints the version
  -h, --help            prints this
`;

/** `shoal dashboard`: serves the pages until SIGTERM or SIGINT, ends with 0; 78 for a bad configuration, else 1. */
export async function main(args: readonly string[]): Promise<void> {
  try {
    const options = commandLine(args);
    if (options.text !== null) return void process.stdout.write(options.text);
    const settings = loadDashboardSettings({
      file: options.configFile === null ? {} : await readYaml(options.configFile),
      environment: withPasswordFile(process.env),
      overrides: options.overrides,
    });
    // Asked for from the first moment: who reads that it listens may end it at once.
    const asked = askedToStop(HARD_STOP_MS);
    const dashboard = await startDashboard(settings, assetsFolder(), {
      clock: systemClock,
      random: systemRandom,
      log: dashboardLog(settings),
      stores: await keyStores(settings),
    });
    void asked.then(() => stop(dashboard));
  } catch (error) {
    const isForOperator = error instanceof DashboardSettingsError;
    process.stderr.write(`shoal dashboard cannot start: ${(error as Error).message}\n`);
    if (!isForOperator) process.stderr.write(`${(error as Error).stack ?? ''}\n`);
    process.exit(isForOperator ? 78 : 1);
  }
}

interface Options {
  readonly overrides: readonly (readonly [name: string, value: string])[];
  readonly configFile: string | null;
  /** Text to print instead of serving. */
  readonly text: string | null;
}

/** Reads `-E name=value`, `--name value`, `--name=value` and `--config FILE`. Throws DashboardSettingsError. */
function commandLine(args: readonly string[]): Options {
  const overrides: [string, string][] = [];
  let configFile: string | null = null;
  for (let i = 0; i < args.length; i++) {
    const argument = args[i]!;
    const value = (): string => {
      const next = args[++i];
      if (next === undefined) throw new DashboardSettingsError(`[${argument}] needs a value`);
      return next;
    };
    const [, name, given] = /^--([A-Za-z][\w-]*(?:\.[\w-]+)+)(?:=(.*))?$/s.exec(argument) ?? [];
    if (argument === '-h' || argument === '--help') return { overrides, configFile, text: HELP };
    if (argument === '-V' || argument === '--version') return { overrides, configFile, text: `${VERSION}\n` };
    if (argument === '--config' || argument === '-c') configFile = value();
    else if (argument.startsWith('--config=')) configFile = argument.slice('--config='.length);
    else if (argument === '-E') overrides.push(pair(value()));
    else if (name !== undefined) overrides.push([name, given ?? value()]);
    else throw new DashboardSettingsError(`unknown argument [${argument}]; see shoal dashboard --help`);
  }
  return { overrides, configFile, text: null };
}

function pair(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at <= 0) throw new DashboardSettingsError(`-E takes name=value but was given [${text}]`);
  return [text.slice(0, at), text.slice(at + 1)];
}

async function readYaml(file: string): Promise<unknown> {
  try {
    const { parse } = await import('yaml');
    return parse(fs.readFileSync(file, 'utf8')) ?? {};
  } catch (error) {
    throw new DashboardSettingsError(`the configuration file [${file}] cannot be read: ${(error as Error).message}`);
  }
}

/** The environment with `ELASTICSEARCH_PASSWORD` out of the file that `ELASTICSEARCH_PASSWORD_FILE` names. */
function withPasswordFile(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const file = environment['ELASTICSEARCH_PASSWORD_FILE'];
  if (!file) return environment;
  try {
    return { ...environment, ELASTICSEARCH_PASSWORD: fs.readFileSync(file, 'utf8').replace(/\r?\n$/, '') };
  } catch (error) {
    throw new DashboardSettingsError(
      `the file [${file}] of ELASTICSEARCH_PASSWORD_FILE cannot be read: ${(error as Error).message}`,
    );
  }
}

/** Lines of JSON with Elastic Common Schema names on the standard output; plain ones on a terminal. */
function dashboardLog({ logLevel }: DashboardSettings): Log {
  const output = standardOutput(process.stdout);
  const isPlain = process.stdout.isTTY === true;
  return {
    write(level, message, fields = {}) {
      if (LEVELS.indexOf(level) < LEVELS.indexOf(logLevel)) return;
      const entry = logEntry(systemClock.now(), level, message, { 'event.dataset': 'kibana.log', ...fields });
      output.write(`${isPlain ? plainLine(entry) : jsonLine(entry)}\n`);
    },
  };
}

const jsonLine = ({ atMs, level, message, fields, dataset }: ReturnType<typeof logEntry>): string =>
  toJson({
    '@timestamp': new Date(atMs).toISOString(),
    'log.level': level.toUpperCase(),
    message,
    ...fields,
    'ecs.version': '1.2.0',
    'service.name': 'shoal-dashboard',
    'event.dataset': dataset,
    'process.pid': process.pid,
  });

async function stop(dashboard: RunningDashboard): Promise<void> {
  await dashboard.close();
  await drainOutput(process.stdout, DRAIN_MS);
  process.exit(0);
}
