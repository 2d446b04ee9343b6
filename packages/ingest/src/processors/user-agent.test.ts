import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noDatabases } from '../databases.js';
import { USER_AGENT_REGEXES } from '../generated/user-agent-regexes.js';
import { createUserAgents } from '../user-agent/user-agents.js';
import { compiled, processorTable } from '../testing/pipeline-table.js';

const CHROME =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_10_5) AppleWebKit/537.36 (KHTML, like Gecko) ' +
  'Chrome/51.0.2704.103 Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
  'Version/16.6 Mobile/15E148 Safari/604.1';
const TABLET =
  'Mozilla/5.0 (Linux; Android 9; SM-T510) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/111.0.0.0 Safari/537.36';
const UNKNOWN_ANDROID =
  'Mozilla/5.0 (Linux; Android 9; ZZ-99 Build/PPR1) AppleWebKit/537.36 (KHTML, like Gecko) ' +
  'Chrome/111.0.0.0 Safari/537.36';
const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

const document = (a: unknown): string => JSON.stringify({ a });
const only = (properties: readonly string[], more = {}): Record<string, unknown> => ({
  field: 'a',
  target_field: 'a',
  properties,
  ...more,
});

test('user_agent tells program, system and device', () =>
  processorTable('user_agent', [
    [
      { field: 'a', target_field: 'ua' },
      document(CHROME),
      `{"a":"${CHROME}","ua":{"name":"Chrome","os":{"name":"Mac OS X","version":"10.10.5","full":"Mac OS X 10.10.5"},` +
        `"device":{"name":"Mac"},"original":"${CHROME}","version":"51.0.2704.103"}}`,
    ],
    [
      only(['name', 'OS', 'device', 'version']),
      document(IPHONE),
      '{"a":{"name":"Mobile Safari","os":{"name":"iOS","version":"16.6","full":"iOS 16.6"},' +
        '"device":{"name":"iPhone"},"version":"16.6"}}',
    ],
    [only(['name', 'os', 'device', 'version']), document('zz'), '{"a":{"name":"Other","device":{"name":"Other"}}}'],
    [{ field: 'b', ignore_missing: true }, '{}', '{}'],
    [{ field: 'a' }, '{"a":null}', 'illegal_argument_exception: field [a] is null, cannot parse user-agent.'],
    [
      { field: 'a' },
      '{"a":1}',
      'illegal_argument_exception: field [a] of type [java.lang.Integer] cannot be cast to [java.lang.String]',
    ],
    [
      { field: 'a', properties: ['name', 'size'] },
      '{}',
      'parse_exception: [properties] illegal property value [size]. ' +
        'valid values are [NAME, OS, DEVICE, ORIGINAL, VERSION]',
    ],
    [
      { field: 'a', regex_file: 'own.yml' },
      '{}',
      "parse_exception: [regex_file] regex file [own.yml] doesn't exist (has to exist at node startup)",
    ],
  ]));

test('extract_device_type tells robots, tablets, phones and desktops apart', () =>
  processorTable(
    'user_agent',
    [
      [CHROME, '{"name":"Mac","type":"Desktop"}'],
      [IPHONE, '{"name":"iPhone","type":"Phone"}'],
      [TABLET, '{"name":"SM-T510","type":"Tablet"}'],
      [GOOGLEBOT, '{"name":"Spider","type":"Robot"}'],
      ['zz', '{"name":"Other","type":"Other"}'],
      // As in Elasticsearch: programs without a browser are no robots, and Android without `Mobile` is a phone.
      ['curl/8.1.2', '{"name":"Other","type":"Other"}'],
      [UNKNOWN_ANDROID, '{"name":"ZZ-99","type":"Phone"}'],
      ['zz SiteChecker', '{"name":"Other","type":"Robot"}'],
    ].map(([text, device]) => [
      only(['device'], { extract_device_type: true }),
      document(text),
      `{"a":{"device":${device}}}`,
    ]),
  ));

test('user_agent reads expressions of a file of the node', () => {
  const files = new Map<string, unknown>([
    [
      'own.yml',
      {
        user_agent_parsers: [{ regex: '^(our)App/(\\d+)', family_replacement: '$1 $2', v2_replacement: '9' }],
        os_parsers: [{ regex: 'OS(.*)', os_replacement: 'ours', os_v1_replacement: '', os_v2_replacement: '2' }],
        device_parsers: [{ regex: 'OURPHONE', regex_flag: 'i', device_replacement: 'ours' }],
      },
    ],
    ['bad.yml', { user_agent_parsers: [{ family_replacement: 'no expression' }] }],
  ]);
  const userAgents = createUserAgents(files);
  assert.deepEqual(userAgents.get('own.yml')!.parse('ourApp/3 ourphone'), {
    // As in Elasticsearch, replacements know the first group only.
    agent: { name: 'our $2', version: ['3', '9', null, null] },
    os: null,
    device: { name: 'ours', version: [] },
  });
  assert.equal(userAgents.get('none.yml'), null);
  const pipeline = (regex_file: string): unknown =>
    compiled({ p: { processors: [{ user_agent: { field: 'a', regex_file } }] } }, undefined, {
      ...noDatabases(),
      userAgents,
    });
  assert.throws(() => pipeline('bad.yml'), /not a valid regular expression file/);
});

test('passing expressions over by their literals changes no result', () => {
  const { parse } = createUserAgents(new Map()).get('_default_')!;
  const lists = JSON.parse(USER_AGENT_REGEXES) as Record<string, { regex: string; regex_flag?: string }[]>;
  const plain = (list: string, text: string): boolean =>
    lists[list]!.some(({ regex, regex_flag }) => new RegExp(regex, regex_flag ?? '').test(text));
  const texts = [
    CHROME,
    IPHONE,
    TABLET,
    GOOGLEBOT,
    'zz',
    'curl/8.1.2',
    'Dalvik/2.1.0 (Linux; U; Android 10; HTC Desire)',
  ];
  for (const text of texts) {
    const { agent, os, device } = parse(text);
    assert.equal(agent !== null, plain('user_agent_parsers', text), text);
    assert.equal(os !== null, plain('os_parsers', text), text);
    assert.equal(device !== null, plain('device_parsers', text), text);
  }
});

test('results are kept, except those of long texts', () => {
  const { parse } = createUserAgents(new Map()).get('_default_')!;
  assert.equal(parse(TABLET), parse(TABLET));
  const long = `Mozilla/5.0 (${'x/1. '.repeat(300)}`;
  assert.notEqual(parse(long), parse(long));
});
