import { market } from './001-market.ts';
import { brokerFlow } from './002-broker-flow.ts';

export const migrations = [market, brokerFlow];
