import { initial } from './010-initial.ts';

export const migrations = [initial];
