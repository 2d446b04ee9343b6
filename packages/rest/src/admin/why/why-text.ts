import type { Cause, RemedyCall } from './cause.js';

/** Result of `_why`. */
export interface WhyFindings {
  readonly about: string;
  readonly status: string;
  readonly causes: readonly Cause[];
}

function mendText({ does, method, path, body }: RemedyCall): string {
  return `    mend: ${method} ${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}\n          (${does})\n`;
}

function causeText({ severity, about, why, evidence = [], advice, mend }: Cause): string {
  const said = evidence.map((line) => `    said: ${line}\n`).join('');
  return (
    `${severity.toUpperCase().padEnd(8)} ${about}\n    why:  ` +
    `${why}\n${said}${advice === undefined ? '' : `    do:   ${advice}\n`}${mend.map(mendText).join('')}`
  );
}

/** Findings as text for people, each with the calls that solve the problem. */
export function whyText({ about, status, causes }: WhyFindings): string {
  const head = `${about} is ${status}${causes.length === 0 ? ' and nothing is wrong with it' : ''}\n`;
  return causes.length === 0 ? head : `${head}\n${causes.map(causeText).join('\n')}`;
}
