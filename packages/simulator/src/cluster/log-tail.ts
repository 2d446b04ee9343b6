import type { Log, LogLevel } from '@shoal/doors';
import type { EventLoop } from '../time/event-loop.js';

const LINES_MAX = 400;

/** Keeps the last log lines and events of a run for the report. */
export class LogTail {
  readonly #loop: EventLoop;
  #lines: string[] = [];

  constructor(loop: EventLoop) {
    this.#loop = loop;
  }

  note(text: string): void {
    if (this.#lines.length >= 2 * LINES_MAX) this.#lines = this.#lines.slice(-LINES_MAX);
    this.#lines.push(`${this.#loop.now.toFixed(1).padStart(9)} ${text}`);
  }

  last(count: number): readonly string[] {
    return this.#lines.slice(-count);
  }

  /** Creates a node's log, which keeps lines of level `least` and above. */
  logOf(name: string, least: LogLevel): Log {
    const levels: readonly LogLevel[] = ['error', 'warn', 'info', 'debug'];
    return {
      write: (level, message, fields) => {
        if (levels.indexOf(level) > levels.indexOf(least)) return;
        this.note(`${name} ${level}: ${message} ${shown(fields)}`);
      },
    };
  }
}

function shown(fields: Readonly<Record<string, unknown>> | undefined): string {
  if (!fields) return '';
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${value instanceof Error ? topOfStack(value) : String(value)}`)
    .join(' ');
}

/** Formats message and innermost frames in one line. */
function topOfStack(error: Error): string {
  return (error.stack ?? error.message).split('\n').slice(0, 4).join(' | ');
}
