import type { JsonObject } from '@shoal/json';
import type { OwnCalls } from '@shoal/coordinator';
import { latestPage, latestRequest } from './latest.js';
import { groupsRequest, pivotPage } from './pivot.js';
import type { TransformConfig } from './transform-config.js';

/** The first documents that a transform makes, without writing them. */
export class CheckpointPreview {
  readonly #config: TransformConfig;
  readonly #calls: OwnCalls;

  constructor(config: TransformConfig, calls: OwnCalls) {
    this.#config = config;
    this.#calls = calls;
  }

  async documents(size: number): Promise<readonly JsonObject[]> {
    const { source, function: made, settings } = this.#config;
    const aggregations =
      made.kind === 'pivot'
        ? groupsRequest(made.groups, made.aggregations, size, null)
        : latestRequest(made, size, null);
    const answer = await this.#calls.search(source.index, {
      size: 0,
      track_total_hits: false,
      query: source.query,
      runtime_mappings: source.runtime,
      aggregations,
    });
    if (answer['aggregations'] === undefined) return [];
    const page = made.kind === 'pivot' ? pivotPage(answer, made, settings) : latestPage(answer, made);
    return page.documents.map((document) => document.source);
  }
}
