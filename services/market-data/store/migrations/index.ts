import { initial } from './010-initial.ts';
import { generatedMarket } from './011-generated-market.ts';

export const migrations = [initial, generatedMarket];
