// What the drill sends, by area: weight and generator. Those that only read share the indices of one world.
import { adminRequest, templateRequest } from './areas/admin.mjs';
import { aggregationRequest } from './areas/aggregations.mjs';
import { queryRequest } from './areas/queries.mjs';
import { readRequest } from './areas/reads.mjs';
import {
  collapseRequest,
  fieldsRequest,
  highlightRequest,
  innerHitsRequest,
  mixedRequest,
  pagingRequest,
  rescoreRequest,
  sortRequest,
  suggestRequest,
  uriRequest,
} from './areas/searches.mjs';
import { vectorRequest } from './areas/vectors.mjs';
import { writeRequest } from './areas/writes.mjs';

const reading = (weight, make) => ({ weight, make, reads: true });
const writing = (weight, make) => ({ weight, make, reads: false });

export const AREAS = {
  queries: reading(22, queryRequest),
  aggregations: reading(20, aggregationRequest),
  sort: reading(6, sortRequest),
  paging: reading(3, pagingRequest),
  fields: reading(5, fieldsRequest),
  highlight: reading(5, highlightRequest),
  collapse: reading(2, collapseRequest),
  'inner hits': reading(2, innerHitsRequest),
  rescore: reading(2, rescoreRequest),
  suggest: reading(4, suggestRequest),
  mixed: reading(3, mixedRequest),
  'query strings': reading(4, uriRequest),
  reads: reading(12, readRequest),
  writes: writing(2, writeRequest),
  admin: writing(2, adminRequest),
  templates: writing(1, templateRequest),
  vectors: writing(1, vectorRequest),
};
