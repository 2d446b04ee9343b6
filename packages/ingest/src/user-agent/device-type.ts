import type { UserAgent } from './parser.js';

type DeviceType = 'Robot' | 'Tablet' | 'Phone' | 'Desktop';

/** Expressions in the order in which they are tried; the first that matches tells the type. */
type Rows = readonly (readonly [type: DeviceType, expression: RegExp])[];

const ROBOT_NAME = /[Bb]ot|[Ss]pider|[Cc]rawler|AppEngine-Google/;
const TABLET_NAME = /Tablet|iPad|FireOS|Crosswalk/;

const SYSTEMS: Rows = [
  ['Robot', ROBOT_NAME],
  ['Desktop', oneOf('(?:Windows(?: NT)?|Linux|Fedora|Ubuntu)$', 'Mac OS X', 'Chrome OS')],
  ['Phone', oneOf('(?:Android|Sailfish)$', 'iOS', 'Windows Phone', '(?:Firefox|BlackBerry) OS', 'KaiOS', 'Maemo')],
  ['Desktop', oneOf('Windows (?:XP|7|10)', '(?:Free|Open|Net)BSD', 'Arch Linux', 'Solaris|SUSE|SunOS|BeOS/Haiku')],
  ['Tablet', TABLET_NAME],
];
const PROGRAMS: Rows = [
  ['Robot', ROBOT_NAME],
  ['Desktop', oneOf('(?:Chrome|Chromium|Edge|Firefox|IE|Maxthon|Opera|Safari|SeaMonkey|Vivaldi|Yandex Browser)$')],
  [
    'Phone',
    oneOf('Chrome Mobile(?:$| iOS)', 'Firefox (?:Mobile|iOS)', '(?:Edge|IE) Mobile', 'Android|Facebook|Instagram'),
  ],
  ['Phone', oneOf('BlackBerry WebKit', 'OktaMobile', 'Sailfish Browser', 'Amazon Silk', 'Pinterest|Flipboard')],
  ['Tablet', TABLET_NAME],
];
const DEVICES: Rows = [
  ['Tablet', /Tablet|iPad|FireOS|Crosswalk|Kindle/],
  ['Tablet', /(?:SM-T|SM-P|GT-P|Asus Nexus )\d|Lenovo TB/],
];
const TEXTS: Rows = [
  ['Robot', /Synthetic|Scanner|Crawler|Site24x7|PagePeeker|SpeedCurve|Google Web Preview|SiteChecker|Parser/],
  ['Tablet', /Tablet/],
];

/** Which type is told where several are found. */
const RANKING: readonly DeviceType[] = ['Robot', 'Tablet', 'Phone', 'Desktop'];

/** Matches texts that begin with one of the expressions. */
function oneOf(...sources: readonly string[]): RegExp {
  return new RegExp(`^(?:${sources.join('|')})`);
}

/**
 * Tells the kind of a device as Elasticsearch does: `Robot`, `Tablet`, `Phone`, `Desktop` or `Other`. The text itself
 * decides if it names one, else the system, the program and the device together.
 */
export function deviceType(text: string, { agent, os, device }: UserAgent): string {
  const byText = firstIn(TEXTS, text);
  if (byText !== null) return byText;
  const found = [firstIn(SYSTEMS, os?.name), firstIn(PROGRAMS, agent?.name), firstIn(DEVICES, device?.name)];
  return RANKING.find((type) => found.includes(type)) ?? 'Other';
}

function firstIn(rows: Rows, name: string | undefined): DeviceType | null {
  if (name === undefined) return null;
  return rows.find(([, expression]) => expression.test(name))?.[0] ?? null;
}
