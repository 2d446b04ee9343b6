import { isPrincipalName } from '../../principal-name.js';

/** One user of the file realm. */
export interface FileUser {
  /** Stored hash, `{scrypt}…` or bcrypt. */
  readonly hash: string;
  readonly roles: readonly string[];
}

/** Users and roles in the two files of the file realm. */
export interface FileUsers {
  readonly users: ReadonlyMap<string, FileUser>;
  /** Descriptions of invalid lines, which are skipped and should be logged. */
  readonly problems: readonly string[];
}

/** File names of the file realm in `path.conf`. */
export const USERS_FILE = 'users';
export const USERS_ROLES_FILE = 'users_roles';

/** Why a text is not the name of a user or role, or null. The rule of Elasticsearch 8. */
export function nameProblem(kind: 'user' | 'role', name: string): string | null {
  if (isPrincipalName(name) && !/[:,]/.test(name)) return null;
  return (
    `${kind} name [${name}] must have 1 to 507 printable ASCII characters, none of them ':' or ',', and no space ` +
    'at its ends'
  );
}

/** Lines that are neither empty nor comments, with their numbers from 1. */
function entriesOf(text: string): readonly (readonly [number: number, line: string])[] {
  return text
    .split(/\r?\n/)
    .map((line, i) => [i + 1, line.trim()] as const)
    .filter(([, line]) => line !== '' && !line.startsWith('#'));
}

function splitEntry(line: string): readonly [left: string, right: string] | null {
  const at = line.indexOf(':');
  return at <= 0 || at === line.length - 1 ? null : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
}

/**
 * Parses `users` (lines `name:hash`) and `users_roles` (lines `role:user,user`). Never throws: invalid lines are
 * reported in `problems`.
 */
export function parseFileUsers(usersText: string, usersRolesText: string): FileUsers {
  const problems: string[] = [];
  const roles = new Map<string, string[]>();
  for (const [number, line] of entriesOf(usersRolesText)) {
    const entry = splitEntry(line);
    const problem = entry === null ? 'not of the form role:user,user' : nameProblem('role', entry[0]);
    if (problem !== null || entry === null)
      problems.push(`line [${number}] of [${USERS_ROLES_FILE}] is skipped: ${problem}`);
    else for (const name of namesOf(entry[1])) roles.set(name, [...(roles.get(name) ?? []), entry[0]]);
  }
  const users = new Map<string, FileUser>();
  for (const [number, line] of entriesOf(usersText)) {
    const entry = splitEntry(line);
    const problem = entry === null ? 'not of the form name:hash' : nameProblem('user', entry[0]);
    if (problem !== null || entry === null) problems.push(`line [${number}] of [${USERS_FILE}] is skipped: ${problem}`);
    else users.set(entry[0], { hash: entry[1], roles: [...new Set(roles.get(entry[0]) ?? [])] });
  }
  return { users, problems };
}

const namesOf = (list: string): string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Renders the file `users`. */
export function renderUsers(users: FileUsers['users']): string {
  return [...users].map(([name, { hash }]) => `${name}:${hash}\n`).join('');
}

/** Renders the file `users_roles`, without roles that no user has. */
export function renderUsersRoles(users: FileUsers['users']): string {
  const members = new Map<string, string[]>();
  for (const [name, { roles }] of users)
    for (const role of roles) members.set(role, [...(members.get(role) ?? []), name]);
  return [...members].map(([role, names]) => `${role}:${names.join(',')}\n`).join('');
}

/** Reads both files; `read` returns the text of a file of `path.conf`, or null if there is none. Never throws. */
export function readUserFiles(read: (file: string) => string | null): FileUsers {
  return parseFileUsers(read(USERS_FILE) ?? '', read(USERS_ROLES_FILE) ?? '');
}

/** Texts of both files by name, in the order in which they are to be written: nobody has a user without roles. */
export function userFileTexts(users: FileUsers['users']): readonly (readonly [file: string, text: string])[] {
  return [
    [USERS_ROLES_FILE, renderUsersRoles(users)],
    [USERS_FILE, renderUsers(users)],
  ];
}
