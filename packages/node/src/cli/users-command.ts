import type { Command } from 'commander';
import { nameProblem, passwordProblem } from '@shoal/security';
import type { CommandContext } from './command-context.js';
import { askNewPassword, CommandError } from './command-io.js';
import { hashPassword, readFileUsers, type UserFiles, writeFileUsers } from './file-users.js';

/** `shoal users …`: the users of the file realm, who can log in even when the cluster has no master. */
export function addUsersCommands(program: Command, context: CommandContext): void {
  const users = program
    .command('users')
    .description('manages the users of the file realm (files users and users_roles of path.conf)');
  const roles = (text: string): string[] =>
    text
      .split(',')
      .map((role) => role.trim())
      .filter((role) => role !== '');
  users
    .command('useradd <name>')
    .description('adds a user')
    .option('-p, --password <password>', 'its password; asked for when absent')
    .option('-r, --roles <roles>', 'its roles, with commas', roles, [])
    .action((name: string, options: { password?: string; roles: string[] }) => add(context, name, options));
  users
    .command('passwd <name>')
    .description('sets the password of a user')
    .option('-p, --password <password>', 'the password; asked for when absent')
    .action((name: string, options: { password?: string }) => setPassword(context, name, options.password));
  users
    .command('roles <name>')
    .description('shows or changes the roles of a user')
    .option('-a, --add <roles>', 'roles to add, with commas', roles, [])
    .option('-r, --remove <roles>', 'roles to take away, with commas', roles, [])
    .action((name: string, options: { add: string[]; remove: string[] }) => changeRoles(context, name, options));
  users
    .command('list [name]')
    .description('lists the users with their roles')
    .action((name: string | undefined) => list(context, name));
  users
    .command('userdel <name>')
    .description('removes a user')
    .action((name: string) => remove(context, name));
}

const conf = (context: CommandContext): string => context.confFolder();

function known(files: UserFiles, name: string): NonNullable<ReturnType<UserFiles['get']>> {
  const user = files.get(name);
  if (user === undefined) throw new CommandError(`user [${name}] does not exist`);
  return user;
}

function checkRoles(roles: readonly string[]): void {
  for (const role of roles) {
    const problem = nameProblem('role', role);
    if (problem !== null) throw new CommandError(problem);
  }
}

async function passwordFor(context: CommandContext, name: string, given: string | undefined): Promise<string> {
  const password = given ?? (await askNewPassword(context.io, name));
  const problem = passwordProblem(password);
  if (problem !== null) throw new CommandError(problem);
  return password;
}

async function add(
  context: CommandContext,
  name: string,
  { password, roles }: { password?: string; roles: readonly string[] },
): Promise<void> {
  const problem = nameProblem('user', name);
  if (problem !== null) throw new CommandError(problem);
  checkRoles(roles);
  const files = readFileUsers(conf(context));
  if (files.has(name)) throw new CommandError(`user [${name}] exists already`);
  files.set(name, { hash: await hashPassword(await passwordFor(context, name, password)), roles });
  writeFileUsers(conf(context), files);
}

async function setPassword(context: CommandContext, name: string, given: string | undefined): Promise<void> {
  const files = readFileUsers(conf(context));
  files.set(name, { ...known(files, name), hash: await hashPassword(await passwordFor(context, name, given)) });
  writeFileUsers(conf(context), files);
}

function changeRoles(
  context: CommandContext,
  name: string,
  changes: { readonly add: readonly string[]; readonly remove: readonly string[] },
): void {
  checkRoles(changes.add);
  const files = readFileUsers(conf(context));
  const user = known(files, name);
  if (changes.add.length === 0 && changes.remove.length === 0) return context.io.print(lineOf(name, user.roles));
  const missing = changes.remove.find((role) => !user.roles.includes(role));
  if (missing !== undefined) throw new CommandError(`user [${name}] does not have the role [${missing}]`);
  const roles = [...new Set([...user.roles, ...changes.add])].filter((role) => !changes.remove.includes(role));
  files.set(name, { ...user, roles });
  writeFileUsers(conf(context), files);
}

function list(context: CommandContext, name: string | undefined): void {
  const files = readFileUsers(conf(context));
  const shown = name === undefined ? [...files] : [[name, known(files, name)] as const];
  if (shown.length === 0) context.io.print('no users found');
  for (const [user, { roles }] of shown) context.io.print(lineOf(user, roles));
}

const lineOf = (name: string, roles: readonly string[]): string =>
  `${name.padEnd(15)}: ${roles.length === 0 ? '-' : roles.join(',')}`;

function remove(context: CommandContext, name: string): void {
  const files = readFileUsers(conf(context));
  known(files, name);
  files.delete(name);
  writeFileUsers(conf(context), files);
}
