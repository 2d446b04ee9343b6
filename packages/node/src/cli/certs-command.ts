import { X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import path from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { type IssuedCertificate, issueCertificate, makeAuthority } from '../certificates/make-certificate.js';
import { readAuthority } from '../certificates/read-authority.js';
import { storeOf } from '../certificates/store-of.js';
import type { CommandContext } from './command-context.js';
import { CommandError, writeFileWhole } from './command-io.js';

interface OutputOptions {
  readonly name?: string;
  readonly days: number;
  readonly out?: string;
  readonly format: 'pem' | 'p12';
  readonly pass?: string;
  readonly force?: boolean;
}

interface IssueOptions extends OutputOptions {
  readonly caCert?: string;
  readonly caKey?: string;
  readonly ca?: string;
  readonly caPass?: string;
  readonly dns: readonly string[];
  readonly ip: readonly string[];
}

/** Three years, as elasticsearch-certutil. */
const DAYS = 1095;

/** `shoal certs ca|node|http`: an authority, and certificates that it signs. */
export function addCertsCommands(program: Command, context: CommandContext): void {
  const certs = program.command('certs').description('makes an authority and certificates for TLS');
  output(
    certs.command('ca').description('makes an authority: its certificate is given to everybody, its key to nobody'),
  ).action((options: OutputOptions) => authority(context, options));
  issued(certs.command('node').description('makes a certificate for the links of a node')).action(
    (options: IssueOptions) => issue(context, 'node', options),
  );
  issued(certs.command('http').description('makes a certificate for the HTTP port of a node')).action(
    (options: IssueOptions) => issue(context, 'http', options),
  );
}

function output(command: Command): Command {
  return command
    .option('--name <name>', 'name of the subject and of the files')
    .option('--days <days>', 'how long it is valid', daysOf, DAYS)
    .option('--out <folder>', 'where the files are written; `certs` in path.conf when absent')
    .option('--format <format>', '`pem` (certificate and key apart) or `p12` (one PKCS#12 file)', formatOf, 'pem')
    .option('--pass <password>', 'password of the PKCS#12 file; asked for when absent')
    .option('--force', 'overwrites files');
}

/** Whether a text is a host name: labels of letters, digits and hyphens; the first may be `*` (RFC 6125). */
const isHostName = (text: string): boolean =>
  text.length <= 253 &&
  isIP(text) === 0 &&
  /^(\*\.)?([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/i.test(text);

function list(accepts: (item: string) => boolean, what: string): (text: string, before: readonly string[]) => string[] {
  return (text, before) => {
    const items = text.split(',').map((item) => item.trim());
    const wrong = items.find((item) => !accepts(item));
    if (wrong !== undefined) throw new InvalidArgumentError(`[${wrong}] is not ${what}.`);
    return [...before, ...items];
  };
}

function issued(command: Command): Command {
  return output(command)
    .option('--ca-cert <file>', "the authority's certificate; `ca.crt` of the folder when absent")
    .option('--ca-key <file>', "the authority's key; `ca.key` of the folder when absent")
    .option('--ca <file>', 'the authority as a PKCS#12 file')
    .option('--ca-pass <password>', "password of the authority's PKCS#12 file or key")
    .option('--dns <names>', 'host names, with commas', list(isHostName, 'a host name'), [])
    .option(
      '--ip <addresses>',
      'addresses, with commas',
      list((text) => isIP(text) !== 0, 'an address'),
      [],
    );
}

function daysOf(text: string): number {
  const days = Number(text);
  if (!Number.isInteger(days) || days < 1 || days > 36_500)
    throw new InvalidArgumentError('a number of days from 1 to 36500 is needed.');
  return days;
}

function formatOf(text: string): 'pem' | 'p12' {
  if (text !== 'pem' && text !== 'p12') throw new InvalidArgumentError('pem and p12 are known.');
  return text;
}

const folderOf = (context: CommandContext, { out }: OutputOptions): string =>
  path.resolve(out ?? path.join(context.confFolder(), 'certs'));

async function authority(context: CommandContext, options: OutputOptions): Promise<void> {
  const made = makeAuthority({ name: options.name ?? 'Shoal CA', hosts: [], days: options.days, nowMs: Date.now() });
  const written = await write(context, options, 'ca', made, []);
  context.io.print(`authority: ${written.join(', ')}`);
  context.io.print(
    `fingerprint (SHA-256): ${new X509Certificate(made.certificate).fingerprint256.replaceAll(':', '').toLowerCase()}`,
  );
}

async function issue(context: CommandContext, kind: 'node' | 'http', options: IssueOptions): Promise<void> {
  const name = options.name ?? (kind === 'http' ? 'http' : hostname());
  const hosts = [...options.dns, ...options.ip];
  if (hosts.length === 0)
    throw new CommandError('give the host names and addresses that the certificate is for by --dns and --ip');
  const signer = await readSigner(context, options);
  const request = { name, hosts, days: options.days, nowMs: Date.now() };
  const made = issueCertificate(signer, request, kind === 'http' ? 'http' : 'link');
  const written = await write(context, options, name, made, [signer.certificate]);
  context.io.print(`certificate for ${hosts.join(', ')}: ${written.join(', ')}`);
  const prefix = `xpack.security.${kind === 'http' ? 'http' : 'transport'}.ssl`;
  context.io.print('settings of the node:');
  const lines =
    options.format === 'p12'
      ? [`keystore.path: ${written[0]}`, `truststore.path: ${written[0]}`]
      : [
          `certificate: ${written[0]}`,
          `key: ${written[1]}`,
          `certificate_authorities: ${options.caCert ?? path.join(folderOf(context, options), 'ca.crt')}`,
        ];
  for (const line of ['enabled: true', ...lines]) context.io.print(`  ${prefix}.${line}`);
}

async function readSigner(context: CommandContext, options: IssueOptions): Promise<IssuedCertificate> {
  try {
    if (options.ca !== undefined)
      return readAuthority({
        store: options.ca,
        password: options.caPass ?? (await context.io.askSecret('Password of the authority: ')),
      });
    const folder = folderOf(context, options);
    return readAuthority({
      certificate: options.caCert ?? path.join(folder, 'ca.crt'),
      key: options.caKey ?? path.join(folder, 'ca.key'),
      password: options.caPass ?? '',
    });
  } catch (error) {
    throw new CommandError(`the authority cannot be used: ${(error as Error).message}; \`shoal certs ca\` makes one`);
  }
}

/** Writes `<name>.crt` and `<name>.key`, or `<name>.p12`; returns the files. */
async function write(
  context: CommandContext,
  options: OutputOptions,
  name: string,
  made: IssuedCertificate,
  chain: readonly string[],
): Promise<string[]> {
  const at = (suffix: string): string => path.join(folderOf(context, options), `${name}${suffix}`);
  const files = options.format === 'p12' ? [at('.p12')] : [at('.crt'), at('.key')];
  const existing = files.find((file) => fs.existsSync(file));
  if (existing !== undefined && options.force !== true)
    throw new CommandError(`[${existing}] exists already; --force overwrites it`);
  if (options.format === 'p12') {
    const password = options.pass ?? (await context.io.askSecret(`Password of ${files[0]}: `));
    writeFileWhole(files[0]!, storeOf(name, made, chain, password));
  } else {
    writeFileWhole(files[0]!, made.certificate, 0o644);
    writeFileWhole(files[1]!, made.key);
  }
  return files;
}
