export { SERIES, type SeriesConstants } from './series/constants.js';
export { type Judgement, newJudgement } from './series/series-model.js';
export { seriesShape, type SeriesShape } from './series/shape.js';
export { SeriesSlab } from './series/slab.js';
