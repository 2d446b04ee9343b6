import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** An expected failure of a command: its message is printed without a stack, and the exit status is 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Input and output of a command. */
export interface CommandIo {
  print(line: string): void;
  /** Shows how far a long command is: on a terminal in one line that the next one overwrites, elsewhere not at all. */
  showProgress(line: string): void;
  /**
   * Reads a line of the input without showing it, after a question on a terminal. Throws CommandError at the end of the
   * input.
   */
  askSecret(question: string): Promise<string>;
  /** Asks yes or no; without a terminal always false. */
  confirm(question: string): Promise<boolean>;
  readonly isTerminal: boolean;
}

/** The process's own input and output. */
export function processIo(): CommandIo {
  const isTerminal = process.stdin.isTTY === true;
  const lines: string[] = [];
  let isRead = false;
  const nextLine = async (): Promise<string> => {
    if (!isRead) for await (const line of createInterface({ input: process.stdin })) lines.push(line);
    isRead = true;
    const line = lines.shift();
    if (line === undefined) throw new CommandError('the input ended before all that was asked for was given');
    return line;
  };
  return {
    isTerminal,
    print: (line) => void process.stdout.write(process.stdout.isTTY ? `\r\x1b[K${line}\n` : `${line}\n`),
    showProgress: (line) => void (process.stdout.isTTY && process.stdout.write(`\r\x1b[K${line}`)),
    askSecret: (question) => (isTerminal ? ask(question, true) : nextLine()),
    confirm: async (question) => isTerminal && /^y(es)?$/i.test(await ask(`${question} [y/N] `, false)),
  };
}

function ask(question: string, isSecret: boolean): Promise<string> {
  process.stdout.write(question);
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: isSecret ? silence : process.stdout, terminal: true });
  return new Promise((resolve, reject) => {
    reader.once('SIGINT', () => reject(new CommandError('cancelled')));
    reader.question('', (answer) => {
      reader.close();
      if (isSecret) process.stdout.write('\n');
      resolve(answer);
    });
  });
}

/** Asks for a new password, on a terminal twice. Throws CommandError if the two differ. */
export async function askNewPassword(io: CommandIo, what: string): Promise<string> {
  const password = await io.askSecret(`Password for ${what}: `);
  if (io.isTerminal && (await io.askSecret('The same again: ')) !== password)
    throw new CommandError('the two passwords are not the same');
  return password;
}

/** Writes a file whole or not at all, readable by its owner only unless `mode` says otherwise; folders are made. */
export function writeFileWhole(file: string, content: string | Uint8Array, mode = 0o600): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}.tmp`;
  fs.writeFileSync(temporary, content, { mode, flush: true });
  fs.renameSync(temporary, file);
}
