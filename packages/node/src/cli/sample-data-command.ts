import fs from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { httpAddress } from '../http/local-address.js';
import { SAMPLE_SETS } from '../samples/catalogue.js';
import type { SampleDocument, SampleSet } from '../samples/sample-set.js';
import { SET_UP_FILES } from '../security/set-up-files.js';
import type { CommandContext } from './command-context.js';
import { CommandError } from './command-io.js';
import { type NodeCall, nodeCaller, reasonOf } from './node-client.js';

const BATCH_DOCS = 500;
/** Marks an index as made by this command, in `_meta` of its mapping. No other index is ever replaced or removed. */
const MARK = 'shoal_sample';

interface SampleOptions {
  readonly url?: string;
  readonly only?: string;
  readonly replace?: boolean;
  readonly remove?: boolean;
  readonly list?: boolean;
  readonly user?: string;
  readonly cacert?: string;
}

/** `shoal sample-data`: loads data to try requests on, each set into an index of its own. */
export function addSampleDataCommand(program: Command, context: CommandContext): void {
  program
    .command('sample-data')
    .description('loads recipes, an access log, orders and cities into a running node, to try requests on')
    .option('--url <url>', 'address of the node; that of the node on path.data, or http://127.0.0.1:9200 when absent')
    .option('--only <names>', `some of the sets: ${SAMPLE_SETS.map(nameOf).join(', ')}`)
    .option('--replace', 'loads anew what is there; times then count from now')
    .option('--remove', 'removes what was loaded')
    .option('--list', 'shows the sets')
    .option(
      '-u, --user <name>',
      'user of a node with security; the password is ELASTIC_PASSWORD or asked for',
      'elastic',
    )
    .option(
      '--cacert <file>',
      'certificate of the authority of a node with HTTPS; http_ca.crt of path.conf when absent',
    )
    .action((options: SampleOptions) => sampleData(options, context));
}

async function sampleData(options: SampleOptions, context: CommandContext): Promise<void> {
  const sets = chosen(options.only);
  if (options.list === true) {
    for (const set of sets) context.io.print(`${set.index.padEnd(16)} ${String(set.size).padStart(6)}  ${set.about}`);
    return;
  }
  const call = await openCaller(options, context);
  for (const set of sets) {
    if (options.remove === true) await remove(set, call, context);
    else await load(set, call, options.replace === true, context);
  }
}

const nameOf = ({ index }: SampleSet): string => index.replace(/^sample-/, '');

function chosen(only: string | undefined): readonly SampleSet[] {
  if (only === undefined) return SAMPLE_SETS;
  return only.split(',').map((name) => {
    const set = SAMPLE_SETS.find((one) => nameOf(one) === name || one.index === name);
    if (set === undefined)
      throw new CommandError(`there is no set [${name}]; there are ${SAMPLE_SETS.map(nameOf).join(', ')}`);
    return set;
  });
}

/** Calls without a password where the node asks for none, else as the given user. */
async function openCaller(options: SampleOptions, context: CommandContext): Promise<NodeCall> {
  const url = options.url ?? httpAddress(context.settings().text('path.data')!) ?? 'http://127.0.0.1:9200';
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CommandError(`[${url}] is not an address; write it as http://127.0.0.1:9200`);
  const authority = authorityOf(options, context);
  const open = nodeCaller({ url, credentials: null, authority });
  if ((await open('GET', '/')).status !== 401) return open;
  const password = process.env['ELASTIC_PASSWORD'] || (await context.io.askSecret(`Password for ${options.user}: `));
  const call = nodeCaller({ url, credentials: `${options.user}:${password}`, authority });
  const answer = await call('GET', '/');
  if (answer.status !== 200)
    throw new CommandError(`the node at [${url}] does not accept user [${options.user}]: ${reasonOf(answer)}`);
  return call;
}

function authorityOf({ cacert }: SampleOptions, context: CommandContext): Buffer | null {
  const file = cacert ?? path.join(context.confFolder(), SET_UP_FILES.httpAuthority);
  if (cacert === undefined && !fs.existsSync(file)) return null;
  try {
    return fs.readFileSync(file);
  } catch (error) {
    throw new CommandError(`the certificate [${file}] cannot be read: ${(error as Error).message}`);
  }
}

async function load(set: SampleSet, call: NodeCall, isReplaced: boolean, context: CommandContext): Promise<void> {
  const found = await countOf(set, call);
  if (found === set.size && !isReplaced)
    return context.io.print(`${set.index}: has its ${found} documents already; --replace loads them anew`);
  if (found !== null) await take(call('DELETE', `/${set.index}`), `remove [${set.index}]`);
  await create(set, call);
  let loaded = 0;
  for (const lines of batches(set)) {
    await write(set, lines, call);
    loaded += lines.length;
    context.io.showProgress(`${set.index}: ${loaded} of ${set.size} documents`);
  }
  await take(call('POST', `/${set.index}/_refresh`), `refresh [${set.index}]`);
  context.io.print(`${set.index}: ${loaded} documents, ${set.about}`);
}

const create = (set: SampleSet, call: NodeCall): Promise<unknown> =>
  take(
    call('PUT', `/${set.index}`, {
      settings: { number_of_shards: 1, auto_expand_replicas: '0-1' },
      mappings: { _meta: { [MARK]: true }, properties: set.properties },
    }),
    `create [${set.index}]`,
  );

async function remove(set: SampleSet, call: NodeCall, context: CommandContext): Promise<void> {
  if ((await countOf(set, call)) === null) return context.io.print(`${set.index}: is not there`);
  await take(call('DELETE', `/${set.index}`), `remove [${set.index}]`);
  context.io.print(`${set.index}: removed`);
}

/**
 * Number of documents of the set's index; null if there is no such index. Throws CommandError for an index of this name
 * that this command did not make.
 */
async function countOf(set: SampleSet, call: NodeCall): Promise<number | null> {
  const answer = await call('GET', `/${set.index}/_mapping`);
  if (answer.status === 404) return null;
  const [mapping] = Object.values((await take(Promise.resolve(answer), `look for [${set.index}]`)) as Mappings);
  if (mapping?.mappings._meta?.[MARK] !== true)
    throw new CommandError(`there is an index [${set.index}] that is not of this command; it is left as it is`);
  const counted = (await take(call('GET', `/${set.index}/_count`), `count [${set.index}]`)) as { count: number };
  return counted.count;
}

type Mappings = Readonly<Record<string, { readonly mappings: { readonly _meta?: Record<string, unknown> } }>>;

function* batches(set: SampleSet): Generator<SampleDocument[]> {
  let batch: SampleDocument[] = [];
  for (const document of set.documents(Date.now())) {
    batch.push(document);
    if (batch.length < BATCH_DOCS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function write(set: SampleSet, documents: readonly SampleDocument[], call: NodeCall): Promise<void> {
  const lines = documents.map(
    ({ id, source }) => `${JSON.stringify({ index: { _id: id } })}\n${JSON.stringify(source)}\n`,
  );
  const path = `/${set.index}/_bulk?filter_path=errors,items.*.error`;
  const answer = (await take(call('POST', path, lines.join('')), `write to [${set.index}]`)) as BulkAnswer;
  if (!answer.errors) return;
  throw new CommandError(`a document of [${set.index}] was refused: ${answer.items?.[0]?.index.error.reason}`);
}

interface BulkAnswer {
  readonly errors: boolean;
  readonly items?: readonly { readonly index: { readonly error: { readonly reason: string } } }[];
}

/** The body of a good answer. Throws CommandError with the node's reason otherwise. */
async function take(pending: ReturnType<NodeCall>, what: string): Promise<unknown> {
  const answer = await pending;
  if (answer.status < 300) return answer.body;
  throw new CommandError(`the node did not ${what}: ${reasonOf(answer)}`);
}
