import { ApiError } from '@shoal/errors';
import { VERSION } from '@shoal/values';
import fs from 'node:fs';
import { isClusterSetting } from '@shoal/state';
import { askedToStop } from './start/asked-to-stop.js';
import { parseCommandLine } from './start/command-line.js';
import { ConfigurationError, loadSettings, type NodeSettings, type SettingSources } from './settings/load-settings.js';
import { withPasswordFile } from './settings/password-file.js';
import { type RunningNode, startNode } from './assembly/start-node.js';

const HARD_STOP_MS = 45_000;

/** Subcommands that do something other than running a node. */
const COMMANDS: ReadonlySet<string> = new Set([
  'certs',
  'keystore',
  'users',
  'reset-password',
  'create-enrollment-token',
  'sample-data',
]);

/**
 * The program: reads the configuration, runs a node until SIGTERM or SIGINT, ends with 0; 78 for a bad configuration, 1
 * for a failure.
 */
export async function main(args: readonly string[]): Promise<void> {
  if (COMMANDS.has(args[0] ?? '')) return runTool(args);
  try {
    const settings = await readSettings(args);
    const asked = askedToStop(HARD_STOP_MS);
    const node = await startNode({ settings, onFatal: fatal });
    void asked.then(() => stop(node));
  } catch (error) {
    const isForOperator = needsOperator(error);
    process.stderr.write(`shoal cannot start: ${error instanceof Error ? error.message : String(error)}\n`);
    if (!isForOperator && error instanceof Error) process.stderr.write(`${error.stack ?? ''}\n`);
    process.exit(isForOperator ? 78 : 1);
  }
}

/**
 * Whether a start fails until somebody changes the configuration or the data folder. Service managers do not repeat a
 * start that ended with 78.
 */
const needsOperator = (error: unknown): boolean =>
  error instanceof ConfigurationError || (error instanceof ApiError && error.type === 'corrupt_index_exception');

async function runTool(args: readonly string[]): Promise<void> {
  try {
    const { runCommand } = await import('./cli/run-command.js');
    process.exitCode = await runCommand(args, settingsFrom);
  } catch (error) {
    process.stderr.write(`shoal: ${(error as Error).stack ?? String(error)}\n`);
    process.exitCode = 1;
  }
}

async function readSettings(args: readonly string[]): Promise<NodeSettings> {
  const { overrides, configFile, enrollmentToken } = commandLine(args);
  const settings = await settingsFrom(overrides, configFile);
  if (enrollmentToken !== null) await (await import('./cli/enroll-node.js')).enrollNode(settings, enrollmentToken);
  return settings;
}

async function settingsFrom(overrides: SettingSources['overrides'], configFile: string | null): Promise<NodeSettings> {
  const file = configFile === null ? {} : await readFile(configFile);
  return loadSettings({ file, environment: withPasswordFile(process.env), overrides, isClusterSetting });
}

function commandLine(args: readonly string[]): ReturnType<typeof parseCommandLine> {
  try {
    return parseCommandLine(args, VERSION);
  } catch (error) {
    throw new ConfigurationError((error as Error).message);
  }
}

async function readFile(name: string): Promise<unknown> {
  try {
    const { parse } = await import('yaml');
    return parse(fs.readFileSync(name, 'utf8')) ?? {};
  } catch (error) {
    throw new ConfigurationError(`the configuration file [${name}] cannot be read: ${(error as Error).message}`);
  }
}

/**
 * Finishes running requests, flushes and closes. A second signal or 45 s end the process at once, which loses no
 * acknowledged write.
 */
async function stop(node: RunningNode): Promise<void> {
  await node.close();
  process.exit(0);
}

function fatal(error: Error): void {
  process.stderr.write(`shoal ends, because a part of it failed: ${error.stack ?? error.message}\n`);
  process.exit(1);
}
