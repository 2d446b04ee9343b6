import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toApiError } from '@shoal/errors';
import { parseSimilarity } from './similarity-settings.js';

const parse = (settings: Record<string, string>): object => parseSimilarity('my', new Map(Object.entries(settings)));

function problem(settings: Record<string, string>): string {
  try {
    return JSON.stringify(parse(settings));
  } catch (error) {
    const { type, reason } = toApiError(error);
    return `${type}: ${reason}`;
  }
}

test('similarities have the parameters of 8.12, as floats', () => {
  assert.deepEqual(parse({ type: 'LMDirichlet' }), { type: 'LMDirichlet', mu: 2000 });
  assert.deepEqual(parse({ type: 'LMJelinekMercer' }), { type: 'LMJelinekMercer', lambda: Math.fround(0.1) });
  assert.deepEqual(parse({ type: 'DFI', independence_measure: 'saturated' }), { type: 'DFI', measure: 'saturated' });
  assert.deepEqual(parse({ type: 'DFR', basic_model: 'g', after_effect: 'b', normalization: 'h3' }), {
    type: 'DFR',
    basicModel: 'g',
    afterEffect: 'b',
    normalization: { name: 'h3', parameter: 800 },
  });
  assert.deepEqual(
    parse({ type: 'IB', distribution: 'spl', lambda: 'ttf', normalization: 'z', 'normalization.z.z': '0.25' }),
    { type: 'IB', distribution: 'spl', lambda: 'ttf', normalization: { name: 'z', parameter: 0.25 } },
  );
});

test('wrong parameters of similarities are refused in the words of 8.12', () => {
  const dfr = { type: 'DFR', basic_model: 'g', after_effect: 'b' };
  const table: [Record<string, string>, string][] = [
    [{ type: 'LMDirichlet', mu: '-1' }, 'illegal mu value: -1.0, must be a non-negative finite value'],
    [{ type: 'LMDirichlet', mu: 'NaN' }, 'illegal mu value: NaN, must be a non-negative finite value'],
    [{ type: 'LMDirichlet', mu: '1e40' }, 'illegal mu value: Infinity, must be a non-negative finite value'],
    [{ type: 'LMDirichlet', nu: '1' }, 'Unknown settings for similarity of type [LMDirichlet]: [nu]'],
    [{ type: 'LMJelinekMercer', lambda: '0' }, 'lambda must be in the range (0 .. 1]'],
    [{ type: 'LMJelinekMercer', lambda: '2' }, 'lambda must be in the range (0 .. 1]'],
    [
      { type: 'DFI', independence_measure: 'x' },
      'Unsupported IndependenceMeasure [x], expected one of [chisquared, standardized, saturated]',
    ],
    [{ type: 'DFR', basic_model: 'x' }, 'Unsupported BasicModel [x], expected one of [if, in, g, ine]'],
    [{ type: 'DFR', basic_model: 'be' }, "Basic model [be] isn't supported anymore, please use another model."],
    [{ ...dfr, after_effect: 'no' }, "After effect [no] isn't supported anymore, please use another effect."],
    [{ ...dfr, after_effect: 'x' }, 'Unsupported AfterEffect [x], expected one of [b, l]'],
    [dfr, 'Unsupported Normalization [null]'],
    [
      { ...dfr, normalization: 'h1', 'normalization.h1.c': '-1' },
      'illegal c value: -1.0, must be a non-negative finite value',
    ],
    [
      { ...dfr, normalization: 'z', 'normalization.z.z': '0.5' },
      'illegal z value: 0.5, must be in the range (0 .. 0.5)',
    ],
    [{ ...dfr, normalization: 'h2', c: '1' }, 'Unknown settings for similarity of type [DFR]: [c]'],
    [{ type: 'IB' }, 'Unsupported Distribution [null]'],
    [{ type: 'IB', distribution: 'll', lambda: 'x' }, 'Unsupported Lambda [x]'],
    [{ type: 'Nix' }, 'Unknown Similarity type [Nix] for [my]'],
  ];
  for (const [settings, reason] of table) assert.equal(problem(settings), `illegal_argument_exception: ${reason}`);
  assert.equal(
    problem({ type: 'LMDirichlet', mu: 'x' }),
    'settings_exception: Failed to parse float setting [mu] with value [x]',
  );
});
