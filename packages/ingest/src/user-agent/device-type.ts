import type { UserAgent } from './parser.js';

/** Names of programs that fetch pages for nobody. */
const ROBOT = oneOf(
  'bot\\b|spider|crawl|slurp|scan|fetch|archiv|monitor|preview',
  'facebook|curl|wget|python|httpclient',
);
const TABLET = oneOf('ipad|tablet|kindle|playbook|galaxy tab|nexus (?:7|9|10)\\b|silk');
const PHONE_SYSTEM = oneOf(
  '^(?:ios|android|windows phone|windows mobile|blackberry os|bada|symbian)',
  '^(?:firefox os|kaios|nokia series|webos)',
);
const DESKTOP_SYSTEM = oneOf(
  '^(?:windows|mac os|chrome os|linux|ubuntu|debian|fedora|red hat|centos|suse|gentoo|arch linux|mint)',
  '^(?:freebsd|openbsd|netbsd|solaris)',
);

function oneOf(...sources: readonly string[]): RegExp {
  return new RegExp(sources.join('|'), 'i');
}

/** Tells the kind of a device by what is known of the agent: `Robot`, `Tablet`, `Phone`, `Desktop` or `Other`. */
export function deviceType(text: string, { agent, os, device }: UserAgent): string {
  if (device?.name === 'Spider' || ROBOT.test(agent?.name ?? '')) return 'Robot';
  if (TABLET.test(device?.name ?? '') || TABLET.test(text)) return 'Tablet';
  const system = os?.name ?? '';
  // Android says `Mobile` on phones only.
  if (system === 'Android' && !/\bmobile\b/i.test(text)) return 'Tablet';
  if (PHONE_SYSTEM.test(system) || /iphone|ipod/i.test(device?.name ?? '')) return 'Phone';
  return DESKTOP_SYSTEM.test(system) ? 'Desktop' : 'Other';
}
