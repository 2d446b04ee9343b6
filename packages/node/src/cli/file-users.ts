import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { type FileUser, readUserFiles, scryptHash, userFileTexts } from '@shoal/security';
import { CommandError, writeFileWhole } from './command-io.js';

/** Users of the file realm by name. */
export type UserFiles = Map<string, FileUser>;

function textOf(file: string): string {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
}

/**
 * Reads the users of a configuration folder. Throws CommandError for lines that mean nothing, so that writing never
 * loses them.
 */
export function readFileUsers(confFolder: string): UserFiles {
  const { users, problems } = readUserFiles((file) => textOf(path.join(confFolder, file)));
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
  return new Map(users);
}

/** Writes both files; running nodes read them within 5 s. */
export function writeFileUsers(confFolder: string, users: UserFiles): void {
  for (const [file, text] of userFileTexts(users)) writeFileWhole(path.join(confFolder, file), text);
}

/** Hashes a password for the file realm by scrypt, with a random salt. */
export const hashPassword = (password: string): Promise<string> => scryptHash(password, randomBytes(16));
