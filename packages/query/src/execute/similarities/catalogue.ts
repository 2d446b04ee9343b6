import type { SimilaritySettings } from '@shoal/mapping';
import { divergenceFromIndependence } from './divergence-from-independence.js';
import { divergenceFromRandomness } from './divergence-from-randomness.js';
import { informationBased } from './information-based.js';
import { scripted } from './scripted.js';
import { lmDirichlet, lmJelinekMercer } from './language-models.js';
import type { SimilarityModel } from './similarity-model.js';

/** Returns the formula of a similarity; null for BM25 and `boolean`, which kernels compute. */
export function similarityModel(settings: SimilaritySettings): SimilarityModel | null {
  switch (settings.type) {
    case 'LMDirichlet':
      return lmDirichlet(settings.mu);
    case 'LMJelinekMercer':
      return lmJelinekMercer(settings.lambda);
    case 'DFI':
      return divergenceFromIndependence(settings.measure);
    case 'DFR':
      return divergenceFromRandomness(settings.basicModel, settings.afterEffect, settings.normalization);
    case 'scripted':
      return scripted(settings);
    case 'IB':
      return informationBased(settings.distribution, settings.lambda, settings.normalization);
    default:
      return null;
  }
}
