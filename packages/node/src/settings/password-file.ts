import fs from 'node:fs';
import { ConfigurationError } from './load-settings.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment with `ELASTIC_PASSWORD` read from the file that `ELASTIC_PASSWORD_FILE` names, as containers hand
 * secrets over.
 */
export function withPasswordFile(environment: Environment): Environment {
  const file = environment['ELASTIC_PASSWORD_FILE'];
  if (file === undefined || file === '') return environment;
  if (environment['ELASTIC_PASSWORD'])
    throw new ConfigurationError('ELASTIC_PASSWORD and ELASTIC_PASSWORD_FILE are mutually exclusive: set one of them');
  try {
    return { ...environment, ELASTIC_PASSWORD: fs.readFileSync(file, 'utf8').replace(/\r?\n$/, '') };
  } catch (error) {
    throw new ConfigurationError(
      `the file [${file}] of ELASTIC_PASSWORD_FILE cannot be read: ${(error as Error).message}`,
    );
  }
}
