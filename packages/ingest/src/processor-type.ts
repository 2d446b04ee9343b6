import type { ConfigReader } from './config-reader.js';
import type { IngestDatabases } from './databases.js';
import type { Pipeline, Processor, Step } from './processor.js';
import type { TimeGuard } from './time-guard.js';
import type { IngestScripts } from './scripts.js';

/** What a processor may use of the place where its pipeline is compiled. */
export interface PipelineSite {
  readonly scripts: IngestScripts;
  readonly databases: IngestDatabases;
  /** Watches the time of regular expressions. */
  readonly guard: TimeGuard;
  /** Compiles a processor inside another one. Throws as for a processor of the pipeline. */
  processor(type: string, config: unknown): Processor;
  /** Returns a pipeline by its name when a document runs; null if there is none. Throws if it does not compile. */
  pipeline(name: string): Pipeline | null;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** A type of processor, a row of `catalogue.ts`. */
export interface ProcessorType {
  readonly name: string;
  /** Whether a node with these databases lists the type; absent: each node does. */
  readonly isAvailable?: (databases: IngestDatabases) => boolean;
  /** Reads the options of one processor. Throws errors of configuration; options that it does not read are refused. */
  parse(config: ConfigReader, site: PipelineSite): Step;
}
