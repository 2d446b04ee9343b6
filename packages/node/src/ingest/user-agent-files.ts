import fs from 'node:fs';
import path from 'node:path';
import { createUserAgents, type UserAgents } from '@shoal/ingest';
import { parse } from 'yaml';
import { ConfigurationError } from '../settings/load-settings.js';

/**
 * Reads the expressions of user agents of a folder (`*.yml`, in the format of uap-core), for `regex_file` of the
 * processor. The folder need not exist. Throws ConfigurationError for a malformed file.
 */
export function readUserAgentFiles(folder: string): UserAgents {
  const names = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.yml')) : [];
  const userAgents = createUserAgents(new Map(names.map((name) => [name, yamlOf(path.join(folder, name))])));
  for (const name of names) tried(path.join(folder, name), () => userAgents.get(name));
  return userAgents;
}

const yamlOf = (file: string): unknown => tried(file, () => parse(fs.readFileSync(file, 'utf8')) as unknown);

function tried<R>(file: string, run: () => R): R {
  try {
    return run();
  } catch (error) {
    throw new ConfigurationError(`[${file}] ${error instanceof Error ? error.message : String(error)}`);
  }
}
