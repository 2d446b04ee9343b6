import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import {
  type FileUser,
  parseFileUsers,
  renderUsers,
  renderUsersRoles,
  scryptHash,
  USERS_FILE,
  USERS_ROLES_FILE,
} from '@shoal/security';
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
  const { users, problems } = parseFileUsers(
    textOf(path.join(confFolder, USERS_FILE)),
    textOf(path.join(confFolder, USERS_ROLES_FILE)),
  );
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
  return new Map(users);
}

/** Writes both files; running nodes read them within 5 s. */
export function writeFileUsers(confFolder: string, users: UserFiles): void {
  writeFileWhole(path.join(confFolder, USERS_ROLES_FILE), renderUsersRoles(users));
  writeFileWhole(path.join(confFolder, USERS_FILE), renderUsers(users));
}

export const hashPassword = (password: string): Promise<string> => scryptHash(password, randomBytes(16));
