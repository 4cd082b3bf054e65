import { market } from './001-market.ts';

export const migrations = [market];
