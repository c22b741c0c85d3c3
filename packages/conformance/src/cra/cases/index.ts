import type { ConformanceCase } from '../case.ts';
import { atlasConformance } from './atlases.ts';
import { contextConformance } from './context.ts';
import { goldenConformance } from './golden.ts';
import { httpConformance } from './http.ts';
import { policyConformance } from './policies.ts';
import { requestConformance } from './requests.ts';
import { ruleConformance } from './rules.ts';
import { traceConformance } from './traces.ts';

export const craCases: readonly ConformanceCase[] = [
  ...requestConformance,
  ...policyConformance,
  ...ruleConformance,
  ...traceConformance,
  ...atlasConformance,
  ...contextConformance,
  ...goldenConformance,
  ...httpConformance,
];
