import { accessProvocations } from './access-provocations.ts';
import { inputProvocations } from './input-provocations.ts';
import { troubleProvocations } from './trouble-provocations.ts';
import { unknownIdProvocations } from './unknown-id-provocations.ts';
import type { Provocation } from './provocation.ts';

export const PROVOCATIONS: Record<string, Provocation> = {
  ...accessProvocations,
  ...inputProvocations,
  ...unknownIdProvocations,
  ...troubleProvocations,
};
